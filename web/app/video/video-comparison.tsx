import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Tag } from '../stage/comparison';
import type { Playback } from './use-playback';
import styles from './video-comparison.module.css';

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
          className={styles['video']}
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
        <div className={styles['result']}>
          <video
            ref={result}
            className={styles['video']}
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
