import { useState, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { ignoredArea } from '#shared/domain/edits/edits';
import { isCrossing, type HiddenArea } from '#shared/domain/hidden-areas';
import { type Box, toBbox } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import {
  type Grip,
  type ShownImage,
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
import { type Placement, placeContained } from '../stage/view-geometry';
import { Button } from '../ui/button';
import styles from './video.module.css';
import type { MediaItem, FoundObject, MediaResult } from '../../state/media-item';
import type { ItemEdits } from '../../state/edit-history';
import { withDrawn, withHidden } from '../../state/video-edits';
import { useServices } from '../services';
import type { Playback } from './use-playback';
import { Boxes } from '../stage/boxes';

/** Overlay of a result frame: the highlighted object, or the box that is being drawn. */
export const VideoOverlays = ({
  stage,
  shown,
  result,
  marked,
  drawing,
  isDrawing,
}: {
  readonly stage: Size | null;
  /** Of the pictures as they are shown. */
  readonly shown: Size | undefined;
  readonly result: MediaResult | null;
  readonly marked: FoundObject | undefined;
  readonly drawing: ReturnType<typeof useDrawing>;
  readonly isDrawing: boolean;
}): ReactElement | null => {
  if (!stage || !result) return null;
  const placement = placeContained(stage, shown ?? result);
  return (
    <>
      {marked && !isDrawing && <Boxes objects={[marked]} picture={result} placement={placement} />}
      {isDrawing && (
        <DrawBox
          placement={placement}
          picture={result}
          onDone={drawing.finish}
          onAlways={drawing.hideAlways}
          onCancel={drawing.cancel}
        />
      )}
    </>
  );
};

/** Drawing a box on the frame in view. @param canvas gets the focus back */
export const useDrawing = (
  { id, edits: { present } }: MediaItem,
  playback: Playback,
  canvas: RefObject<HTMLElement | null>,
) => {
  const { store } = useServices();
  const [isActive, setActive] = useState(false);
  const replace = (edits: ItemEdits): void => {
    store.send({ type: 'edited', id, edit: { type: 'replaced', edits } });
    cancel();
  };
  const cancel = (): void => {
    setActive(false);
    canvas.current?.focus();
  };
  return {
    isActive,
    begin: (): void => {
      playback.pause();
      setActive(true);
    },
    /** Adds the box to the edits. */
    finish: (box: Box): void =>
      replace(withDrawn(present, { at: playback.currentTimeS(), bbox: toBbox(box) })),
    /** Adds an area that is hidden in the whole video, whatever is there. */
    hideAlways: (area: HiddenArea): void => replace(withHidden(present, area)),
    cancel,
  };
};

/** A part of the box is dragged, or a new box is drawn. */
type Gesture = Grip | 'draw';

const isBox = (target: EventTarget): boolean => target instanceof Element && target.matches('[data-box]');

const gestureAt = (target: EventTarget): Gesture => handleAt(target) ?? (isBox(target) ? 'box' : 'draw');

const boxAfter = (box: Box, { gesture, from, at }: Drag<Gesture>, image: ShownImage): Box =>
  gesture === 'draw'
    ? (drawnBox(from, at, image) ?? box)
    : draggedBox(box, gesture, { x: at.x - from.x, y: at.y - from.y }, image);

/** Stays the same function: React calls it when the element comes, and not again while it is there. */
const focusOnce = (element: HTMLElement | null): void => element?.focus();

/** Box to begin with, so that drawing needs no pointer. */
const firstBox = (image: ShownImage): Box => {
  const whole = { x1: 0, y1: 0, x2: image.width, y2: image.height };
  return placedBox(whole, image) ?? whole;
};

/** Editor for one box, with pointer and keys. */
const useBox = (image: ShownImage) => {
  const [box, setBox] = useState(() => firstBox(image));
  const [corners, setCorners] = useState<Corners>([]);
  const { drag, handlers } = useDrag<Gesture>({
    pointAt: (position) => imagePoint(position, image),
    begin: ({ target }) => gestureAt(target),
    commit: (done) => {
      setCorners([]);
      setBox(boxAfter(box, done, image));
    },
    onPress: ({ gesture, at }) => {
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

interface DrawProps {
  /** Of the video's frames. */
  readonly picture: Size;
  readonly onDone: (box: Box) => void;
  readonly onAlways: (area: HiddenArea) => void;
  readonly onCancel: () => void;
}

const Polygon = ({
  corners,
  picture: { width, height },
}: Pick<DrawProps, 'picture'> & { readonly corners: Corners }): ReactElement | null =>
  corners.length === 0 ? null : (
    <svg className={`over ${styles['corners']}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polygon points={corners.join(' ')} />
    </svg>
  );

/** What the keys do, and what can be done with the drawn box or polygon. */
const DrawBar = ({
  box,
  corners,
  picture,
  onDone,
  onAlways,
  onCancel,
}: DrawProps & { readonly box: Box; readonly corners: Corners }): ReactElement => {
  const { video: text, review } = useMessages();
  const isPolygon = corners.length > 0;
  return (
    <div
      className={`row ${styles['bar']}`}
      data-side={box.y1 + box.y2 > picture.height * 1.2 ? 'top' : 'bottom'}
    >
      <p id="draw-box-keys" className="soft">
        {isCrossing(corners) ? review.crossing : text.drawHint}
      </p>
      <Button variant="primary" disabled={isPolygon} onClick={() => onDone(box)}>
        {text.hideBox}
      </Button>
      <Button
        disabled={isPolygon && !canClose(corners)}
        onClick={() => onAlways(isPolygon ? { points: corners } : ignoredArea(box))}
      >
        {text.always.hide}
      </Button>
      <Button onClick={onCancel}>{text.cancel}</Button>
    </div>
  );
};

/** A box that is drawn on the frame in view, with a pointer or by keys. */
export const DrawBox = ({
  placement,
  picture,
  onDone,
  onAlways,
  onCancel,
}: DrawProps & {
  /** Where the video is shown, in px of the stage. */
  readonly placement: Placement;
}): ReactElement => {
  const text = useMessages().video;
  const { box, corners, removeCorners, pointer, onKeyDown } = useBox(shownImage(picture, placement));
  const style = styleOf(box, picture);
  const decide = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && corners.length > 0) removeCorners();
    else if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && isBox(event.target)) onDone(box);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
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
        <Polygon corners={corners} picture={picture} />
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
      <DrawBar {...{ box, corners, picture, onDone, onAlways, onCancel }} />
    </div>
  );
};
