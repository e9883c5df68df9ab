import { useLayoutEffect, useRef, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { clamp } from '#shared/domain/clamp';
import type { MutedPart } from '#shared/domain/edits/edits';
import { MIN_PART_S, movePart, partBetween, type PartGrip } from '../../state/muted-parts';
import { useDrag, type Drag } from '../boxes/use-drag';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { hasModifier, keyHandler } from '../ui/use-keys';
import { useRead } from '../ui/use-loaded';
import styles from './mute-track.module.css';
import type { Muting } from './use-muting';
import type { Playback } from './use-playback';

/** Parts without a sound are drawn as a thin line. */
const MIN_LEVEL = 0.01;

/** The loudest levels of a sound, mirrored around the middle. @param share of the width that the sound fills */
const Waveform = ({
  peaks,
  share,
}: {
  readonly peaks: Float32Array;
  readonly share: number;
}): ReactElement | null => {
  if (peaks.length === 0) return null;
  const levels = Array.from(peaks, (level) => clamp(level, MIN_LEVEL, 1));
  const upper = levels.map((level, i) => `${i},${(1 - level).toFixed(3)}`);
  const lower = levels.map((level, i) => `${i},${(1 + level).toFixed(3)}`).reverse();
  return (
    <svg
      className={styles['waveform']}
      style={{ width: `${share * 100}%` }}
      viewBox={`0 0 ${Math.max(1, peaks.length - 1)} 2`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="waveform"
    >
      <polygon points={[...upper, ...lower].join(' ')} />
    </svg>
  );
};

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
  readonly onNudge: (part: MutedPart, grip: PartGrip) => void;
  readonly onRemove: () => void;
}

/** A part without sound. Arrow keys move it or one of its borders, Delete removes it. */
const MutedPartView = ({
  part,
  index,
  durationS,
  track,
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
      aria-label={text.part(startS, endS)}
      data-grip="whole"
      data-part={index}
      data-testid="muted-part"
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

/** The sound of a video under it, on which parts without sound are marked by pointer and keys. */
export const MuteTrack = ({
  file,
  playback: { timeS, durationS, seek },
  muting: { parts, openS, set, mark },
}: {
  readonly file: File;
  readonly playback: Playback;
  readonly muting: Muting;
}): ReactElement | null => {
  const text = useMessages().video.muting;
  const { soundPeaks } = useServices();
  const sound = useRead(() => soundPeaks(file), [soundPeaks, file]);
  const track = useRef<HTMLDivElement>(null);
  const { drag, handlers } = useDrag<PartGesture>({
    pointAt: ({ x }, { width }) => ({ x: clamp(x / width, 0, 1) * durationS, y: 0 }),
    begin: ({ target }) => gestureAt(target),
    isMoved: (start, end) => Math.abs(end.x - start.x) >= MIN_DRAG_PX,
    commit: (done) => set(dragged(parts, done, durationS)),
    onPress: ({ gesture, from }) => gesture.index === undefined && seek(from.x),
  });
  const shown = drag ? dragged(parts, drag, durationS) : parts;
  if (sound?.hasSound === false || durationS === 0) return null;
  const withPart = (index: number, ...instead: readonly MutedPart[]): readonly MutedPart[] =>
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
