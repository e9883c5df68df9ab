import type { MutedRange } from '#shared/domain/edits/edits';
import { type KeyboardEvent, type ReactElement, type RefObject, useLayoutEffect, useRef } from 'react';
import { MIN_PART_S, movePart, type PartGrip } from '../../state/muted-parts';
import { useMessages } from '../messages';
import styles from './mute-track.module.css';

/** Parts without a sound are drawn as a thin line. */
const MIN_LEVEL = 0.01;

/** The loudest levels of a sound, mirrored around the middle. @param share of the width that the sound fills */
export const Waveform = ({
  peaks,
  share,
}: {
  readonly peaks: Float32Array;
  readonly share: number;
}): ReactElement | null => {
  if (peaks.length === 0) return null;
  const levels = Array.from(peaks, (level) => Math.min(1, Math.max(MIN_LEVEL, level)));
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
const useFocusAfterRemoval = <Element extends HTMLElement>(
  next: RefObject<HTMLElement | null>,
): RefObject<Element | null> => {
  const removed = useRef<Element>(null);
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

const percent = (share: number): string => `${Math.min(1, Math.max(0, share)) * 100}%`;

interface MutedPartProps {
  readonly part: MutedRange;
  /** Found by the pointer's handlers of the track. */
  readonly index: number;
  readonly durationS: number;
  /** Gets the focus when the part is removed. */
  readonly track: RefObject<HTMLElement | null>;
  readonly onNudge: (part: MutedRange, grip: PartGrip) => void;
  readonly onRemove: () => void;
}

/** A part without sound. Arrow keys move it or one of its borders, Delete removes it. */
export const MutedPartView = ({
  part,
  index,
  durationS,
  track,
  onNudge,
  onRemove,
}: MutedPartProps): ReactElement => {
  const text = useMessages().video.muting;
  const element = useFocusAfterRemoval<HTMLDivElement>(track);
  const [startS, endS] = part;
  const moveBy =
    (grip: PartGrip) =>
    (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
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
