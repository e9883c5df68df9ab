import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { clamp } from '#shared/domain/clamp';
import type { MutedPart } from '#shared/domain/edits/edits';
import { MIN_PART_S, movePart, partBetween, type PartGrip } from '../../state/muted-parts';
import { useDrag, type Drag } from '../boxes/use-drag';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { hasModifier, keyHandler } from '../ui/use-keys';
import { MuteTools, useZoom } from './mute-tools';
import styles from './mute-track.module.css';
import type { Muting } from './use-muting';
import type { Playback } from './use-playback';
import { Waveform } from './waveform';
import type { SoundPeaks } from '../../workers/sound-peaks';

/** Moves the focus from an element to another when it is removed, by undoing as well: otherwise it would be lost. */
const useFocusAfterRemoval = (next: RefObject<HTMLElement | null>): RefObject<HTMLDivElement | null> => {
  const removed = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = removed.current;
    return () => {
      if (element?.contains(document.activeElement)) next.current?.focus();
    };
  }, [next]);
  return removed;
};

/** Steps of the arrow keys, in seconds. */
const STEP_S = { fine: 0.1, coarse: 1 } as const;
const DIRECTIONS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
};
const REMOVING = ['Delete', 'Backspace'];

const percent = (share: number): string => `${clamp(share, 0, 1) * 100}%`;

interface MutedPartProps {
  readonly part: MutedPart;
  /** Found by the pointer's handlers of the track. */
  readonly index: number;
  readonly durationS: number;
  /** Gets the focus when the part is removed. */
  readonly track: RefObject<HTMLElement | null>;
  readonly onFocus: () => void;
  readonly onNudge: (part: MutedPart, grip: PartGrip) => void;
  readonly onRemove: () => void;
}

/** A part without sound. Arrow keys move it or one of its borders, Delete removes it. */
const MutedPartView = ({
  part,
  index,
  durationS,
  track,
  onFocus,
  onNudge,
  onRemove,
}: MutedPartProps): ReactElement => {
  const text = useMessages().video.muting;
  const element = useFocusAfterRemoval(track);
  const { start: startS, end: endS } = part;
  const moveBy =
    (grip: PartGrip) =>
    (event: KeyboardEvent): void => {
      if (hasModifier(event)) return;
      const direction = DIRECTIONS[event.key];
      if (direction === undefined && !REMOVING.includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (direction === undefined) return onRemove();
      const byS = direction * (event.shiftKey ? STEP_S.coarse : STEP_S.fine);
      onNudge(movePart(part, grip, byS, durationS), grip);
    };
  const border = (grip: 'start' | 'end', valueS: number, minS: number, maxS: number): ReactElement => (
    <span
      className={styles['border']}
      role="slider"
      tabIndex={0}
      aria-label={text[grip]}
      aria-valuemin={minS}
      aria-valuemax={maxS}
      aria-valuenow={valueS}
      aria-valuetext={text.at(valueS)}
      data-grip={grip}
      data-part={index}
      onKeyDown={moveBy(grip)}
    />
  );
  return (
    <div
      ref={element}
      className={styles['part']}
      style={{ left: percent(startS / durationS), width: percent((endS - startS) / durationS) }}
      role="group"
      tabIndex={0}
      aria-label={(part.as === 'bleep' ? text.bleepPart : text.part)(startS, endS)}
      data-as={part.as}
      data-grip="whole"
      data-part={index}
      data-testid="muted-part"
      onFocus={onFocus}
      onKeyDown={moveBy('whole')}
    >
      {border('start', startS, 0, endS - MIN_PART_S)}
      {border('end', endS, startS + MIN_PART_S, durationS)}
    </div>
  );
};

/** Shorter movements along the track are a press, in px of the screen. */
const MIN_DRAG_PX = 4;

/** What a press on the track begins. */
interface PartGesture {
  /** Undefined where it adds a part. */
  readonly index: number | undefined;
  readonly grip: PartGrip;
}

const gestureAt = (target: EventTarget): PartGesture => {
  const { part, grip } = target instanceof HTMLElement ? target.dataset : {};
  if (part === undefined) return { index: undefined, grip: 'whole' };
  return { index: Number(part), grip: (grip ?? 'whole') as PartGrip };
};

/** The parts after a drag, whose points are moments of the video. */
const dragged = (
  parts: readonly MutedPart[],
  { gesture: { index, grip }, from, at }: Drag<PartGesture>,
  durationS: number,
): readonly MutedPart[] => {
  if (index !== undefined) {
    return parts.map((part, i) => (i === index ? movePart(part, grip, at.x - from.x, durationS) : part));
  }
  const added = partBetween(from.x, at.x);
  return added ? [...parts, added] : parts;
};

/** What is read of a sound so far, while it is decoded. */
const useSound = (file: File): SoundPeaks | undefined => {
  const { soundPeaks } = useServices();
  const [known, setKnown] = useState<SoundPeaks>();
  useEffect(() => {
    let isCurrent = true;
    const show = (sound: SoundPeaks): void => {
      if (isCurrent) setKnown(sound);
    };
    setKnown(undefined);
    soundPeaks(file, show).then(show, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [soundPeaks, file]);
  return known;
};

/** Adds, moves and resizes parts by a pointer. @returns the parts as they would be */
const useTrackDrag = ({ parts, set }: Muting, { durationS, seek }: Playback) => {
  const { drag, handlers } = useDrag<PartGesture>({
    pointAt: ({ x }, { width }) => ({ x: clamp(x / width, 0, 1) * durationS, y: 0 }),
    begin: ({ target }) => gestureAt(target),
    isMoved: (start, end) => Math.abs(end.x - start.x) >= MIN_DRAG_PX,
    commit: (done) => set(dragged(parts, done, durationS)),
    onPress: ({ gesture, from }) => gesture.index === undefined && seek(from.x),
  });
  return { shown: drag ? dragged(parts, drag, durationS) : parts, handlers };
};

/** Where a part was begun, and where the video is. */
const Moments = ({
  openS,
  timeS,
  durationS,
}: Pick<Muting, 'openS'> & Pick<Playback, 'timeS' | 'durationS'>): ReactElement => (
  <>
    {openS !== undefined && <span className={styles['open']} style={{ left: percent(openS / durationS) }} />}
    <span className={styles['playhead']} style={{ left: percent(timeS / durationS) }} />
  </>
);

/** Replaces and removes parts. @param track gets the focus of a removed part */
const changesOf = ({ parts, set }: Muting, track: RefObject<HTMLElement | null>) => {
  const replace = (index: number, instead: readonly MutedPart[], step?: string): void =>
    set(
      parts.flatMap((part, i) => (i === index ? instead : [part])),
      step,
    );
  const remove = (index: number): void => {
    replace(index, []);
    track.current?.focus();
  };
  return { replace, remove };
};

/** The sound of a video under it, on which parts without sound are marked by pointer and keys. */
export const MuteTrack = ({
  file,
  playback,
  muting,
}: {
  readonly file: File;
  readonly playback: Playback;
  readonly muting: Muting;
}): ReactElement | null => {
  const text = useMessages().video.muting;
  const { timeS, durationS } = playback;
  const { parts, openS, mark } = muting;
  const sound = useSound(file);
  const track = useRef<HTMLDivElement>(null);
  const { replace, remove } = changesOf(muting, track);
  const [focused, setFocused] = useState<number>();
  const { zoom, frame, zoomBy, zoomKeys } = useZoom(playback);
  const { shown, handlers } = useTrackDrag(muting, playback);
  if (sound?.hasSound === false || durationS === 0) return null;
  const chosen = focused !== undefined && parts[focused] ? focused : parts.length - 1;
  return (
    <div className={styles['row']}>
      <div ref={frame} className={styles['frame']}>
        <div
          ref={track}
          className={styles['track']}
          style={{ width: `${zoom * 100}%` }}
          role="group"
          aria-label={text.track}
          title={text.hint}
          tabIndex={0}
          data-testid="mute-track"
          onKeyDown={keyHandler({ m: mark, ...zoomKeys }, () => true)}
          {...handlers}
        >
          {sound && <Waveform {...{ sound, durationS }} />}
          {shown.map((part, index) => (
            <MutedPartView
              key={index}
              {...{ part, index, durationS, track }}
              onFocus={() => setFocused(index)}
              onNudge={(changed, grip) => replace(index, [changed], `arrows ${index} ${grip}`)}
              onRemove={() => remove(index)}
            />
          ))}
          <Moments {...{ openS, timeS, durationS }} />
        </div>
      </div>
      <MuteTools
        muting={muting}
        chosen={parts[chosen]}
        onChoose={(part) => replace(chosen, [part])}
        zoom={zoomBy}
      />
    </div>
  );
};
