import type { MutedRange } from '#shared/domain/edits/edits';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { SoundPeaks } from '../../workers/sound-peaks';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { MutedPartView } from './muted-part';
import styles from './mute-track.module.css';
import type { Muting } from './use-muting';
import { usePartDrag } from './use-part-drag';
import type { Playback } from './use-playback';
import { Waveform } from './waveform';

const useSound = (file: File): SoundPeaks | undefined => {
  const { soundPeaks } = useServices();
  const [sound, setSound] = useState<SoundPeaks>();
  useEffect(() => {
    let isCurrent = true;
    setSound(undefined);
    soundPeaks(file).then(
      (read) => isCurrent && setSound(read),
      () => undefined, // without a waveform
    );
    return () => {
      isCurrent = false;
    };
  }, [soundPeaks, file]);
  return sound;
};

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
  const sound = useSound(file);
  const track = useRef<HTMLDivElement>(null);
  const { shown, handlers } = usePartDrag(parts, durationS, set, seek);
  if (sound?.hasSound === false || durationS === 0) return null;
  const withPart = (index: number, ...instead: readonly MutedRange[]): readonly MutedRange[] =>
    parts.flatMap((part, i) => (i === index ? instead : [part]));
  const markByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    mark();
  };
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
        onKeyDown={markByKey}
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
