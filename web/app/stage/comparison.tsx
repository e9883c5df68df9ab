import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { useMessages } from '../messages';
import type { Playback } from '../video/use-playback';
import styles from './stage.module.css';
import type { ImageFiles, VideoFiles } from './use-files';
import type { Placement } from './view-geometry';

/** Original and result on top of each other. The result is visible to the right of the divider. */
const Sides = ({
  original,
  result,
  areNamed,
}: {
  readonly original: ReactNode;
  readonly result: ReactNode;
  readonly areNamed: boolean;
}): ReactElement => {
  const text = useMessages().stage;
  return (
    <>
      {original}
      {result && <div className={`over ${styles['result']}`}>{result}</div>}
      {areNamed &&
        (['left', 'right'] as const).map((side) => (
          <span key={side} className={styles['tag']} data-side={side}>
            {side === 'left' ? text.original : text.result}
          </span>
        ))}
    </>
  );
};

/** Both sides of a video, at the same moment. */
export const VideoComparison = ({
  name,
  files: { originalUrl, resultUrl, onOriginalUnplayable },
  playback: { original, result, handlers },
}: {
  readonly name: string;
  readonly files: VideoFiles;
  readonly playback: Playback;
}): ReactElement => {
  const text = useMessages().stage;
  const shared = {
    ...{ className: `over ${styles['video']}`, playsInline: true, preload: 'auto' },
    ...handlers,
  } as const;
  return (
    <Sides
      original={
        originalUrl && (
          <video
            {...shared}
            ref={original}
            src={originalUrl}
            aria-label={text.originalAlt(name)}
            muted
            onError={onOriginalUnplayable}
          />
        )
      }
      result={
        resultUrl && (
          <video
            {...shared}
            ref={result}
            src={resultUrl}
            aria-label={text.resultAlt(name)}
            data-testid="result-video"
          />
        )
      }
      areNamed={originalUrl !== null && resultUrl !== null}
    />
  );
};

const NOT_PLACED_YET: CSSProperties = { visibility: 'hidden' };

/** Both sides of an image. */
export const Comparison = ({
  name,
  files: { originalUrl, resultUrl, onOriginalLoaded, onResultLoaded },
  placement,
}: {
  readonly name: string;
  readonly files: ImageFiles;
  readonly placement: Placement | null;
}): ReactElement => {
  const text = useMessages().stage;
  const shared = { className: styles['picture'], draggable: false, style: placement ?? NOT_PLACED_YET };
  return (
    <Sides
      original={
        originalUrl && (
          <img
            {...shared}
            src={originalUrl}
            alt={text.originalAlt(name)}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              onOriginalLoaded({ width, height })
            }
          />
        )
      }
      result={
        resultUrl && (
          <img
            {...shared}
            src={resultUrl}
            alt={text.resultAlt(name)}
            onLoad={onResultLoaded}
            data-testid="result"
          />
        )
      }
      areNamed={resultUrl !== null}
    />
  );
};
