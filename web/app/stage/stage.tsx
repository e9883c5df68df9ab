import { useState, type ReactElement, type RefObject } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import type { Playhead } from '../video/playhead';
import { VideoStage } from '../video/video-stage';
import { INITIAL_REVIEW } from '../review/tools';
import styles from './stage.module.css';
import { StageCanvas, type StageOptions } from './stage-canvas';

const INITIAL: StageOptions = { divider: 0.5, hasBoxes: false, review: INITIAL_REVIEW };

/** The selected image or video. The divider position and the boxes stay when another file is selected. */
export const Stage = ({
  picture,
  playhead,
}: {
  readonly picture: MediaItem;
  /** Receives the playback position of the selected video. */
  readonly playhead: RefObject<Playhead>;
}): ReactElement => {
  const messages = useMessages();
  const [options, setOptions] = useState(INITIAL);
  return (
    <section className={styles['stage']} aria-label={messages.stage.region}>
      {isVideo(picture) ? (
        <VideoStage key={picture.id} picture={picture} playhead={playhead} />
      ) : (
        <StageCanvas key={picture.id} picture={picture} options={options} onOptions={setOptions} />
      )}
    </section>
  );
};
