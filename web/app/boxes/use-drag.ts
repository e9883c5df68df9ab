import { useRef, useState, type PointerEvent } from 'react';
import type { Size } from '#shared/domain/raster';
import type { Point } from '../stage/view-geometry';
import { isDrag } from './box-geometry';

/** A pointer that is dragged over an image, with points in image px, or over anything else. */
export interface Drag<Gesture> {
  readonly gesture: Gesture;
  readonly from: Point;
  readonly at: Point;
}

interface Pressed<Gesture> extends Drag<Gesture> {
  readonly pointerId: number;
  /** In px of the screen. */
  readonly start: Point;
  readonly isDrag: boolean;
}

interface DragOptions<Gesture> {
  /**
   * The point at a position in px of the screen, from the upper left corner of the element that receives the events;
   * undefined before there is something to drag over.
   */
  pointAt(position: Point, element: Size): Point | undefined;
  /** What a press begins; undefined if it is not for the editor. */
  begin(event: PointerEvent<HTMLElement>, at: Point): Gesture | undefined;
  /** Whether the pointer has moved, between two points in px of the screen; otherwise it is a press. */
  readonly isMoved?: (from: Point, to: Point) => boolean;
  /** Whether a press without a movement is applied, too. */
  readonly isImmediate?: (gesture: Gesture) => boolean;
  /** The gesture after a movement to another point. */
  readonly extend?: (gesture: Gesture, at: Point) => Gesture;
  /** Applies the drag when the pointer is released. */
  commit(drag: Drag<Gesture>): void;
  /** Called for a press without a movement that is not applied. */
  onPress?(drag: Drag<Gesture>): void;
  /** Set while a drag is possible, so that the view does not move. */
  readonly isBusy?: { current: boolean };
}

const onScreen = ({ clientX: x, clientY: y }: PointerEvent): Point => ({ x, y });

/**
 * Drags over an image, or over anything else that has places, with one pointer.
 *
 * Short movements are a press and change nothing. A second pointer cancels the drag, because two pointers move the
 * view. Nothing is applied before the pointer is released.
 * @returns the current drag, for a preview
 */
export const useDrag = <Gesture>({
  pointAt,
  begin,
  isMoved = isDrag,
  isImmediate = () => false,
  extend = (gesture) => gesture,
  commit,
  onPress,
  isBusy,
}: DragOptions<Gesture>) => {
  const [drag, setDrag] = useState<Drag<Gesture> | null>(null);
  const pressed = useRef<Pressed<Gesture> | null>(null);

  const press = (next: Pressed<Gesture> | null): void => {
    pressed.current = next;
    if (isBusy) isBusy.current = next !== null;
    setDrag(next?.isDrag ? next : null);
  };
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent): Point | undefined => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return pointAt({ x: clientX - left, y: clientY - top }, { width, height });
  };
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        if (pressed.current) return press(null);
        const at = pointOf(event);
        if (!at || event.button !== 0) return;
        const gesture = begin(event, at);
        if (gesture === undefined) return;
        const { pointerId, currentTarget } = event;
        currentTarget.setPointerCapture(pointerId);
        press({ gesture, from: at, at, pointerId, start: onScreen(event), isDrag: isImmediate(gesture) });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>): void => {
        const { current } = pressed;
        const at = pointOf(event);
        if (!current || !at || event.pointerId !== current.pointerId) return;
        if (!current.isDrag && !isMoved(current.start, onScreen(event))) return;
        press({ ...current, at, gesture: extend(current.gesture, at), isDrag: true });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>): void => {
        const { current } = pressed;
        if (!current || event.pointerId !== current.pointerId) return;
        if (current.isDrag) commit({ ...current, at: pointOf(event) ?? current.at });
        else onPress?.(current);
        press(null);
      },
      onPointerCancel: (): void => press(null),
    },
  };
};
