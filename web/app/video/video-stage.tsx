import { useState, type CSSProperties, type KeyboardEvent, type ReactElement } from 'react';
import type { Picture } from '../../state/pictures';
import { useMessages } from '../messages';
import { Divider } from '../stage/divider';
import { StageFacts } from '../stage/stage-facts';
import { StageNotice } from '../stage/stage-notice';
import { PlaybackBar } from './playback-bar';
import { usePlayback } from './use-playback';
import { useVideoFiles } from './use-video-files';
import { VideoComparison } from './video-comparison';
import { VideoProgress } from './video-progress';
import styles from './video-stage.module.css';
import { VideoWarnings } from './video-warnings';

/** Share of the stage that shows the original. */
const MIDDLE = 0.5;

/** One video, before and after, at the same moment. Space plays and pauses while the stage has the focus. */
export const VideoStage = ({ picture }: { readonly picture: Picture }): ReactElement => {
  const messages = useMessages();
  const { file, status, result } = picture;
  const [divider, setDivider] = useState(MIDDLE);
  const playback = usePlayback();
  const { originalUrl, resultUrl, isUnplayable, onOriginalUnplayable } = useVideoFiles(picture);
  const canCompare = originalUrl !== null && resultUrl !== null;
  const original = canCompare ? divider : 0;

  const press = (event: KeyboardEvent): void => {
    if (event.key !== ' ' || event.target !== event.currentTarget) return;
    event.preventDefault();
    playback.toggle();
  };
  return (
    <>
      <div
        className={styles['canvas']}
        style={{ '--divider': `${original * 100}%` } as CSSProperties}
        role="group"
        aria-label={messages.stage.canvas(file.name)}
        data-main-focus
        data-testid="stage"
        tabIndex={0}
        onKeyDown={press}
      >
        <VideoComparison
          name={file.name}
          originalUrl={originalUrl}
          resultUrl={resultUrl}
          playback={playback}
          onOriginalUnplayable={onOriginalUnplayable}
        />
        {canCompare && <Divider share={divider} onMove={setDivider} />}
        {isUnplayable && <p className={styles['unplayable']}>{messages.video.unplayable}</p>}
        {status === 'processing' ? <VideoProgress picture={picture} /> : <StageNotice picture={picture} />}
      </div>
      {status !== 'failed' && <PlaybackBar playback={playback} />}
      {result?.video && <VideoWarnings video={result.video} />}
      <div className={styles['facts']}>
        <StageFacts picture={picture} />
      </div>
    </>
  );
};
