import type { CSSProperties, ReactElement } from 'react';
import { useMessages } from '../messages';
import type { PictureFiles } from './use-files';
import type { Placement } from './view-geometry';
import styles from './stage.module.css';
import type { Playback } from '../video/use-playback';

/** Original and result one over the other, at the same moment; the result shows on the right of the divider. */
export const VideoComparison = ({
  name,
  originalUrl,
  resultUrl,
  playback: { original, result, handlers },
  onOriginalUnplayable,
}: {
  readonly name: string;
  /** Null where the browser cannot show it. */
  readonly originalUrl: string | null;
  readonly resultUrl: string | null;
  readonly playback: Playback;
  readonly onOriginalUnplayable: () => void;
}): ReactElement => {
  const text = useMessages().stage;
  return (
    <>
      {originalUrl && (
        <video
          ref={original}
          className={`over ${styles['video']}`}
          src={originalUrl}
          aria-label={text.originalAlt(name)}
          muted
          playsInline
          preload="auto"
          {...handlers}
          onError={onOriginalUnplayable}
        />
      )}
      {resultUrl && (
        <div className={`over ${styles['result']}`}>
          <video
            ref={result}
            className={`over ${styles['video']}`}
            src={resultUrl}
            aria-label={text.resultAlt(name)}
            playsInline
            preload="auto"
            data-testid="result-video"
            {...handlers}
          />
        </div>
      )}
      {originalUrl && resultUrl && (
        <>
          <Tag side="left" text={text.original} />
          <Tag side="right" text={text.result} />
        </>
      )}
    </>
  );
};

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
          <div className={`over ${styles['result']}`}>
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
