import type { MutedRange } from '#shared/domain/edits/edits';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { MIN_PART_S, movePart, type PartGrip } from '../../state/muted-parts';
import { useMessages } from '../messages';
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal';
import styles from './mute-track.module.css';

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
