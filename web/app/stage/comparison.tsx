import type { CSSProperties, ReactElement } from 'react';
import { useMessages } from '../messages';
import styles from './comparison.module.css';
import type { PictureFiles } from './use-picture-files';
import type { Placement } from './view-geometry';

const NOT_PLACED_YET: CSSProperties = { visibility: 'hidden' };

export const Tag = ({
  side,
  text,
}: {
  readonly side: 'left' | 'right';
  readonly text: string;
}): ReactElement => (
  <span className={styles['tag']} data-side={side}>
    {text}
  </span>
);

/** Original and result on top of each other. The result is visible to the right of the divider. */
export const Comparison = ({
  name,
  files: { originalUrl, resultUrl, onOriginalLoaded, onResultLoaded },
  placement,
}: {
  readonly name: string;
  readonly files: PictureFiles;
  readonly placement: Placement | null;
}): ReactElement => {
  const messages = useMessages();
  const style = placement ?? NOT_PLACED_YET;
  return (
    <>
      {originalUrl && (
        <img
          className={styles['picture']}
          src={originalUrl}
          alt={messages.stage.originalAlt(name)}
          draggable={false}
          style={style}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            onOriginalLoaded({ width, height })
          }
        />
      )}
      {resultUrl && (
        <>
          <div className={styles['result']}>
            <img
              className={styles['picture']}
              src={resultUrl}
              alt={messages.stage.resultAlt(name)}
              draggable={false}
              style={style}
              onLoad={onResultLoaded}
              data-testid="result"
            />
          </div>
          <Tag side="left" text={messages.stage.original} />
          <Tag side="right" text={messages.stage.result} />
        </>
      )}
    </>
  );
};
