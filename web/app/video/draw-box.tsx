import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { isCrossing, type HiddenArea } from '#shared/domain/hidden-areas';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import {
  type Grip,
  type ShownImage,
  areasOf,
  draggedBox,
  drawnBox,
  imagePoint,
  nudgedBox,
  placedBox,
  shownImage,
  styleOf,
} from '../boxes/box-geometry';
import boxes from '../boxes/boxes.module.css';
import { canClose, withCorner, type Corners } from '../boxes/corners';
import { BoxHandles, handleAt } from '../boxes/box-parts';
import { useDrag, type Drag } from '../boxes/use-drag';
import { useMessages } from '../messages';
import type { EditedView } from '../review/use-review-input';
import type { Placement } from '../stage/view-geometry';
import { Button } from '../ui/button';
import { ClassSelect } from '../ui/selects';
import type { ChangedTrack } from './changed-track';
import styles from './video.module.css';

/** A part of the box is dragged, or a new box is drawn. */
type Gesture = Grip | 'draw';

const isBox = (target: EventTarget): boolean => target instanceof Element && target.matches('[data-box]');

const gestureAt = (target: EventTarget): Gesture => handleAt(target) ?? (isBox(target) ? 'box' : 'draw');

const boxAfter = (box: Box, { gesture, from, at }: Drag<Gesture>, image: ShownImage): Box =>
  gesture === 'draw'
    ? (drawnBox(from, at, image) ?? box)
    : draggedBox(box, gesture, { x: at.x - from.x, y: at.y - from.y }, image);

/** Stays the same function: React calls it when the element comes, and not again while it is there. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus();

/** Box to begin with, so that drawing needs no pointer. */
const firstBox = ({ image, visible }: EditedView): Box => placedBox(visible, image) ?? visible;

/** Editor for one box, with pointer and keys. */
const useBox = (view: EditedView, placed: Box | undefined) => {
  const { image } = view;
  const [box, setBox] = useState(() => placed ?? firstBox(view));
  const [corners, setCorners] = useState<Corners>([]);
  const { drag, handlers } = useDrag<Gesture>({
    pointAt: view.pointAt,
    begin: ({ target }) => gestureAt(target),
    commit: (done) => {
      setCorners([]);
      setBox(boxAfter(box, done, image));
    },
    onPress: ({ gesture, at }) => {
      // A sphere shows a polygon's sides as curves.
      if (placed || image.wraps) return;
      const next = gesture === 'draw' || gesture === 'box' ? withCorner(corners, at, image) : 'closed';
      if (next !== 'closed') setCorners(next);
    },
  });
  return {
    corners,
    removeCorners: () => setCorners([]),
    box: drag ? boxAfter(box, drag, image) : box,
    pointer: handlers,
    onKeyDown: (event: KeyboardEvent): void => {
      const nudged = nudgedBox(event, box, image);
      if (!nudged) return;
      event.preventDefault();
      event.stopPropagation();
      setBox(nudged);
    },
  };
};

export interface DrawProps {
  /** Of the video's frames. */
  readonly image: Size;
  readonly onDone: (box: Box) => void;
  readonly onAlways: (areas: readonly HiddenArea[]) => void;
  /** Instead of a new box: the track whose place and class are changed. */
  readonly changed: ChangedTrack | undefined;
  readonly onChanged: (track: ChangedTrack) => void;
  readonly onCancel: () => void;
}

const Polygon = ({
  corners,
  image: { width, height },
}: Pick<DrawProps, 'image'> & { readonly corners: Corners }): ReactElement | null =>
  corners.length === 0 ? null : (
    <svg className={`over ${styles['corners']}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polygon points={corners.join(' ')} />
    </svg>
  );

/** The class of a track, and the button that gives it this class and the drawn place. */
const ChangeButtons = ({
  box,
  changed,
  onChanged,
}: {
  readonly box: Box;
  readonly changed: ChangedTrack;
  readonly onChanged: DrawProps['onChanged'];
}): ReactElement => {
  const { video: text, review } = useMessages();
  const [objectClass, setClass] = useState<ObjectClass>(changed.objectClass);
  return (
    <>
      <ClassSelect label={review.objectClass} value={objectClass} onChoose={setClass} />
      <Button variant="primary" onClick={() => onChanged({ ...changed, box, objectClass })}>
        {text.changeTrack}
      </Button>
    </>
  );
};

/** What the keys do, and what can be done with the drawn box or polygon. */
export const DrawBar = ({
  box,
  corners: drawn,
  image,
  onDone,
  onAlways,
  changed,
  onChanged,
  onCancel,
}: DrawProps & {
  readonly box: Box;
  /** Undefined where no polygon can be drawn. */
  readonly corners?: Corners;
}): ReactElement => {
  const { video: text, review } = useMessages();
  const corners = drawn ?? [];
  const isPolygon = corners.length > 0;
  return (
    <div
      className={`row ${styles['bar']}`}
      data-side={box.y1 + box.y2 > image.height * 1.2 ? 'top' : 'bottom'}
    >
      <p id="draw-box-keys" className="soft">
        {isCrossing(corners) ? review.crossing : text.drawHint(drawn !== undefined && !changed)}
      </p>
      {changed ? (
        <ChangeButtons {...{ box, changed, onChanged }} />
      ) : (
        <>
          <Button variant="primary" disabled={isPolygon} onClick={() => onDone(box)}>
            {text.hideBox}
          </Button>
          <Button
            disabled={isPolygon && !canClose(corners)}
            onClick={() => onAlways(isPolygon ? [{ points: corners }] : areasOf(box, image))}
          >
            {text.always.hide}
          </Button>
        </>
      )}
      <Button onClick={onCancel}>{text.cancel}</Button>
    </div>
  );
};

/** A box that is drawn on the frame in view, with what Enter and Escape do. */
export const useDrawnBox = (view: EditedView, { changed, onChanged, onDone, onCancel }: DrawProps) => {
  const { removeCorners, ...editor } = useBox(view, changed?.box);
  const { box, corners } = editor;
  const decideBox = (): void => (changed ? onChanged({ ...changed, box }) : onDone(box));
  const decide = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && corners.length > 0) removeCorners();
    else if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && isBox(event.target)) decideBox();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { ...editor, decide };
};

/** The frame in view, flat: points are from its upper left corner. */
const viewOf = (size: Size, placement: Placement): EditedView => {
  const image = shownImage(size, placement);
  return {
    image,
    visible: { x1: 0, y1: 0, x2: image.width, y2: image.height },
    pointAt: (position) => imagePoint(position, image),
  };
};

/** A box that is drawn on the frame in view, with a pointer or by keys. */
export const DrawBox = ({
  placement,
  ...props
}: DrawProps & {
  /** Where the video is shown, in px of the stage. */
  readonly placement: Placement;
}): ReactElement => {
  const { image } = props;
  const text = useMessages().video;
  const { box, corners, pointer, onKeyDown, decide } = useDrawnBox(viewOf(image, placement), props);
  const style = styleOf(box, image);
  return (
    <div className={`over ${styles['layer']}`} onKeyDown={decide} data-testid="draw-box">
      <div
        className={styles['area']}
        style={{ ...placement }}
        {...pointer}
        // The box keeps the focus, so that its keys act.
        onMouseDown={(event) => event.preventDefault()}
      >
        <div className={`over ${styles['shade']}`}>
          <div style={style} hidden={corners.length > 0} />
        </div>
        <Polygon corners={corners} image={image} />
        <div
          className={`${boxes['grab']} ${styles['box']}`}
          style={style}
          data-behind={corners.length > 0}
          role="group"
          aria-label={text.drawnBox}
          aria-describedby="draw-box-keys"
          tabIndex={0}
          // The next action is to place the box.
          ref={focusOnce}
          data-box
          onKeyDown={onKeyDown}
        >
          <BoxHandles />
        </div>
      </div>
      <DrawBar {...props} box={box} corners={corners} />
    </div>
  );
};
