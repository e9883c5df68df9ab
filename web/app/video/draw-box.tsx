import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import type { Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/size';
import { useMessages } from '../messages';
import { Button } from '../ui/button';
import { boxBetween, middleBox, movedBox, resizedBox, type Point } from './box-geometry';
import type { Placement } from '../stage/view-geometry';
import styles from './draw-box.module.css';

/** One press of an arrow key, as a share of the picture's longer side. */
const KEY_STEP = 0.01;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Action of a press on the box, on its corner, or outside. */
type Grip = 'move' | 'resize' | 'draw';

interface Drag {
  readonly grip: Grip;
  readonly from: Point;
  readonly box: Box;
}

const dragged = ({ grip, from, box }: Drag, to: Point, size: Size): Box => {
  const by = { x: to.x - from.x, y: to.y - from.y };
  if (grip === 'move') return movedBox(box, by, size);
  if (grip === 'resize') return resizedBox(box, by, size);
  return boxBetween(from, to, size) ?? box;
};

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** Stays the same function: React calls it when the element comes, and not again while it is there. */
const focusOnce = (element: HTMLElement | null): void => element?.focus();

/** What the pointer is on, as far as it says. */
const gripOf = (target: EventTarget): Grip => {
  const named = target instanceof HTMLElement ? target.dataset['grip'] : undefined;
  return (named as Grip | undefined) ?? 'draw';
};

/** Editor for one box, with pointer and keys. */
const useBox = (picture: Size) => {
  const [box, setBox] = useState(() => middleBox(picture));
  const drag = useRef<Drag | null>(null);
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent): Point => {
    const area = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - area.left) / area.width) * picture.width,
      y: ((clientY - area.top) / area.height) * picture.height,
    };
  };
  const release = (): void => {
    drag.current = null;
  };
  return {
    box,
    pointer: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { grip: gripOf(event.target), from: pointOf(event), box };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>): void => {
        if (drag.current) setBox(dragged(drag.current, pointOf(event), picture));
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const arrow = ARROWS[event.key];
      if (!arrow) return;
      event.preventDefault();
      event.stopPropagation();
      const step = KEY_STEP * Math.max(picture.width, picture.height);
      const by = { x: arrow.x * step, y: arrow.y * step };
      setBox((before) => (event.shiftKey ? resizedBox : movedBox)(before, by, picture));
    },
  };
};

/** A box that is drawn on the frame in view, with a pointer or by keys. */
export const DrawBox = ({
  placement,
  picture,
  onDone,
  onCancel,
}: {
  /** Where the video is shown, in px of the stage. */
  readonly placement: Placement;
  /** Of the video's frames. */
  readonly picture: Size;
  readonly onDone: (box: Box) => void;
  readonly onCancel: () => void;
}): ReactElement => {
  const text = useMessages().video;
  const { box, pointer, onKeyDown } = useBox(picture);
  const decide = (event: KeyboardEvent): void => {
    const isOnBox = gripOf(event.target) !== 'draw';
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && isOnBox) onDone(box);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles['layer']} onKeyDown={decide} data-testid="draw-box">
      <div className={styles['area']} style={{ ...placement }} {...pointer}>
        <div
          className={styles['box']}
          style={{
            left: share(box.x1, picture.width),
            top: share(box.y1, picture.height),
            width: share(box.x2 - box.x1, picture.width),
            height: share(box.y2 - box.y1, picture.height),
          }}
          role="group"
          aria-label={text.drawnBox}
          aria-describedby="draw-box-keys"
          tabIndex={0}
          // What one does next is to place it.
          ref={focusOnce}
          data-grip="move"
          onKeyDown={onKeyDown}
        >
          <span className={styles['corner']} data-grip="resize" />
        </div>
      </div>
      <div className={styles['bar']} data-side={box.y1 + box.y2 > picture.height * 1.2 ? 'top' : 'bottom'}>
        <p id="draw-box-keys">{text.drawHint}</p>
        <Button variant="primary" onClick={() => onDone(box)}>
          {text.hideBox}
        </Button>
        <Button onClick={onCancel}>{text.cancel}</Button>
      </div>
    </div>
  );
};
