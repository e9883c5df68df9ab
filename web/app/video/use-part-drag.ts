import type { MutedRange } from '#shared/domain/edits/edits';
import { useRef, useState, type PointerEvent } from 'react';
import { movePart, partBetween, type PartGrip } from '../../state/muted-parts';

/** A pointer that adds, moves or resizes a part. */
interface Drag {
  /** Undefined where it adds a part. */
  readonly index: number | undefined;
  readonly grip: PartGrip;
  readonly fromS: number;
  readonly atS: number;
}

/** Shorter movements are a press, in px of the screen. */
const MIN_DRAG_PX = 4;

const gripOf = (target: EventTarget): Pick<Drag, 'index' | 'grip'> => {
  const { part, grip } = target instanceof HTMLElement ? target.dataset : {};
  if (part === undefined) return { index: undefined, grip: 'whole' };
  return { index: Number(part), grip: (grip ?? 'whole') as PartGrip };
};

const dragged = (
  parts: readonly MutedRange[],
  { index, grip, fromS, atS }: Drag,
  durationS: number,
): readonly MutedRange[] => {
  if (index !== undefined) {
    return parts.map((part, i) => (i === index ? movePart(part, grip, atS - fromS, durationS) : part));
  }
  const added = partBetween(fromS, atS);
  return added ? [...parts, added] : parts;
};

/**
 * Drags on the track of the sound. Nothing is stored before the pointer is released.
 *
 * @param onPress called for a press without a movement outside of all parts
 * @returns the parts to show, and handlers for the track
 */
export const usePartDrag = (
  parts: readonly MutedRange[],
  durationS: number,
  onChange: (parts: readonly MutedRange[]) => void,
  onPress: (timeS: number) => void,
) => {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pressed = useRef<{ readonly drag: Drag; readonly x: number } | null>(null);
  const timeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * durationS;
  };
  const end = (): void => {
    pressed.current = null;
    setDrag(null);
  };
  const isMoved = (event: PointerEvent, x: number): boolean => Math.abs(event.clientX - x) >= MIN_DRAG_PX;
  return {
    shown: drag ? dragged(parts, drag, durationS) : parts,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        if (event.button !== 0 || durationS === 0) return;
        const atS = timeOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = { drag: { ...gripOf(event.target), fromS: atS, atS }, x: event.clientX };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>): void => {
        const { current } = pressed;
        if (current && (drag || isMoved(event, current.x))) setDrag({ ...current.drag, atS: timeOf(event) });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>): void => {
        const { current } = pressed;
        if (!current) return;
        if (drag) onChange(dragged(parts, { ...drag, atS: timeOf(event) }, durationS));
        else if (current.drag.index === undefined) onPress(current.drag.atS);
        end();
      },
      onPointerCancel: end,
    },
  };
};
