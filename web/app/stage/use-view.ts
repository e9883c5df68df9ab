import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { Size } from '#shared/domain/raster';
import { pan, WHOLE, zoomAt, type Point, type View } from './view-geometry';

const WHEEL_SENSITIVITY = 0.002;
/** Zoom factor of one press of a button or key. */
export const ZOOM_STEP = 1.5;
const MIDDLE: Point = { x: 0, y: 0 };

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const distance = ([a, b]: readonly Point[]): number => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);

/**
 * Zooms by wheel, pinch and buttons, and moves by dragging.
 *
 * @param isBusy whether a single pressed pointer is used for something else
 */
export const useView = (
  element: RefObject<HTMLElement | null>,
  stage: Size | null,
  image: Size | null,
  isBusy?: { readonly current: boolean },
) => {
  const [view, setView] = useState(WHOLE);
  const pointers = useRef(new Map<number, Point>());

  const change = (next: (view: View, stage: Size, image: Size) => View): void => {
    if (stage && image) setView((current) => next(current, stage, image));
  };
  const fromMiddle = ({ x, y }: Point): Point => {
    const box = element.current?.getBoundingClientRect();
    return box ? { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 } : MIDDLE;
  };

  const onWheel = useRef<(event: WheelEvent) => void>(() => undefined);
  onWheel.current = (event) => {
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * WHEEL_SENSITIVITY * (event.ctrlKey ? 4 : 1));
    const at = fromMiddle({ x: event.clientX, y: event.clientY });
    change((current, s, p) => zoomAt(s, p, current, { factor, at }));
  };
  useEffect(() => {
    const { current } = element;
    // React registers passive wheel listeners, which cannot keep the page from scrolling.
    const listener = (event: WheelEvent): void => onWheel.current(event);
    current?.addEventListener('wheel', listener, { passive: false });
    return () => current?.removeEventListener('wheel', listener);
  }, [element]);

  const release = ({ pointerId }: PointerEvent): void => void pointers.current.delete(pointerId);
  return {
    view,
    zoomBy: (factor: number) => change((current, s, p) => zoomAt(s, p, current, { factor, at: MIDDLE })),
    fit: () => setView(WHOLE),
    handlers: {
      onPointerDown: (event: PointerEvent): void => {
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      },
      onPointerMove: (event: PointerEvent): void => {
        if (!pointers.current.has(event.pointerId)) return;
        const before = [...pointers.current.values()];
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const after = [...pointers.current.values()];
        if (after.length === 1 && isBusy?.current) return;
        const [from, to] = [middleOf(before), middleOf(after)];
        const factor = before.length > 1 ? distance(after) / Math.max(1, distance(before)) : 1;
        change((current, s, p) =>
          zoomAt(s, p, pan(s, p, current, { x: to.x - from.x, y: to.y - from.y }), {
            factor,
            at: fromMiddle(to),
          }),
        );
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
};
export type ViewControl = ReturnType<typeof useView>;
