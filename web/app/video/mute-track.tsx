import type { MutedRange } from '#shared/domain/edits/edits';
import { useRef, type ReactElement } from 'react';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { keyHandler } from '../ui/use-keys';
import { useRead } from '../ui/use-loaded';
import { Button } from '../ui/button';
import { MutedPartView, Waveform } from './muted-part';
import styles from './mute-track.module.css';
import type { Muting } from './use-muting';
import { usePartDrag } from './use-part-drag';
import type { Playback } from './use-playback';

interface TrackProps {
  readonly file: File;
  readonly playback: Playback;
  readonly muting: Muting;
}

const Track = ({
  file,
  playback: { timeS, durationS, seek },
  muting: { parts, openS, set, mark },
}: TrackProps): ReactElement | null => {
  const text = useMessages().video.muting;
  const { soundPeaks } = useServices();
  const sound = useRead(() => soundPeaks(file), [soundPeaks, file]);
  const track = useRef<HTMLDivElement>(null);
  const { shown, handlers } = usePartDrag(parts, durationS, set, seek);
  if (sound?.hasSound === false || durationS === 0) return null;
  const withPart = (index: number, ...instead: readonly MutedRange[]): readonly MutedRange[] =>
    parts.flatMap((part, i) => (i === index ? instead : [part]));
  return (
    <div className={styles['row']}>
      <div
        ref={track}
        className={styles['track']}
        role="group"
        aria-label={text.track}
        title={text.hint}
        tabIndex={0}
        data-testid="mute-track"
        onKeyDown={keyHandler({ m: mark }, () => true)}
        {...handlers}
      >
        {sound && <Waveform peaks={sound.peaks} share={sound.durationS / durationS} />}
        {shown.map((part, index) => (
          <MutedPartView
            key={index}
            {...{ part, index, durationS, track }}
            onNudge={(changed, grip) => set(withPart(index, changed), `arrows ${index} ${grip}`)}
            onRemove={() => {
              set(withPart(index));
              track.current?.focus();
            }}
          />
        ))}
        {openS !== undefined && (
          <span className={styles['open']} style={{ left: `${(openS / durationS) * 100}%` }} />
        )}
        <span className={styles['playhead']} style={{ left: `${(timeS / durationS) * 100}%` }} />
      </div>
      <Button variant="quiet" title={text.hint} aria-pressed={openS !== undefined} onClick={mark}>
        {openS === undefined ? text.begin : text.finish}
      </Button>
    </div>
  );
};

/** The sound of a video under it, on which parts without sound are marked by pointer and keys. */
export const MuteTrack = ({
  muting,
  ...props
}: Omit<TrackProps, 'muting'> & { readonly muting: Muting | undefined }): ReactElement | null =>
  muting ? <Track {...props} muting={muting} /> : null;
