import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icons';
import type { Playback } from './use-playback';
import styles from './playback-bar.module.css';
const STEP_S = 0.01;

/** Plays and pauses both videos, and moves them to another moment. */
export const PlaybackBar = ({
  playback: { isPlaying, timeS, durationS, toggle, seek },
  onDraw,
}: {
  readonly playback: Playback;
  /** Begins a box on the frame in view; undefined where there is nothing to draw on. */
  readonly onDraw: (() => void) | undefined;
}): ReactElement => {
  const text = useMessages().video;
  return (
    <div className={styles['bar']}>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? text.pause : text.play}
        disabled={durationS === 0}
        onClick={toggle}
      />
      <input
        type="range"
        className={styles['position']}
        aria-label={text.position}
        aria-valuetext={text.time(timeS, durationS)}
        min={0}
        max={durationS}
        step={STEP_S}
        value={timeS}
        disabled={durationS === 0}
        onChange={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
      />
      <span className={styles['time']}>{text.time(timeS, durationS)}</span>
      {onDraw && (
        <Button variant="quiet" title={text.drawBoxTitle} disabled={durationS === 0} onClick={onDraw}>
          <Icon name="drawBox" />
          <span className="word">{text.drawBox}</span>
        </Button>
      )}
    </div>
  );
};
