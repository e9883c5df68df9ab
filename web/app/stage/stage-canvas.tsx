import {
  type CSSProperties,
  type PointerEvent,
  type ReactElement,
  type KeyboardEvent,
  useRef,
  useState,
} from 'react';
import { isAround, type MediaItem, type MediaResult, type FoundObject } from '../../state/media-item';
import { useMessages } from '../messages';
import { ObjectLayer } from '../review/object-layer';
import { flatView, reviewKeys, toolKeys, isOnImage, useReviewGestures } from '../review/use-review-input';
import type { ReviewOptions } from '../review/tools';
import { canReview, useReview } from '../review/use-review';
import { useUndoKeys } from '../review/undoing';
import { keyHandler } from '../ui/use-keys';
import { useLoaded } from '../ui/use-loaded';
import { Boxes } from './boxes';
import { Comparison } from './comparison';
import { Divider } from './divider';
import { StageTools, type StageCanvasProps, type StageOptions } from './stage-tools';
import { StageNotice } from './stage-notice';
import { useImageFiles } from './use-files';
import { useSize } from './use-size';
import { useView, ZOOM_STEP, type ViewControl } from './use-view';
import { place } from './view-geometry';
import type { Size } from '#shared/domain/raster';
import styles from './stage.module.css';

interface Actions {
  readonly control: ViewControl;
  toggleBoxes(): void;
  setHeld(isHeld: boolean): void;
  /** Called when the space key is pressed or released. */
  setSpace(isHeld: boolean): void;
  /** Handles other keys. */
  readonly more: Readonly<Record<string, () => void>>;
}

/** Keys that a focused object handles itself. */
const OF_OBJECTS = [' ', 'Enter'];

const isOfStage = (event: KeyboardEvent): boolean =>
  isOnImage(event) && (event.target === event.currentTarget || !OF_OBJECTS.includes(event.key));

/** Keyboard shortcuts of the focused stage. */
const stageKeys = ({ control, toggleBoxes, setHeld, setSpace, more }: Actions) => {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => control.zoomBy(ZOOM_STEP),
    '=': () => control.zoomBy(ZOOM_STEP),
    '-': () => control.zoomBy(1 / ZOOM_STEP),
    '0': control.fit,
    b: toggleBoxes,
    o: () => setHeld(true),
    ' ': () => setSpace(true),
    ...more,
  };
  const release = (): void => {
    setHeld(false);
    setSpace(false);
  };
  return {
    onKeyDown: keyHandler(actions, isOfStage),
    onKeyUp: release,
    onBlur: release,
  };
};

/** List of detected objects for screen readers: class, score and position. */
const ObjectList = ({
  objects,
  image,
}: {
  readonly objects: readonly FoundObject[];
  readonly image: Size;
}): ReactElement => {
  const messages = useMessages();
  return (
    <ul className="visually-hidden" aria-label={messages.stage.boxesList}>
      {objects.map(({ id, objectClass, score, x, y, width, height }) => (
        <li key={id}>
          {messages.stage.object(
            messages.stage.box(messages.objectName(objectClass), score),
            (x + width / 2) / image.width,
            (y + height / 2) / image.height,
          )}
        </li>
      ))}
    </ul>
  );
};

/** Divider positions at which only the original or only the result is visible. */
const ALL_ORIGINAL = 1;
const ALL_RESULT = 0;

const showsBoxes = ({ status, result }: MediaItem, { hasBoxes }: StageOptions): boolean =>
  status !== 'failed' && result !== null && (hasBoxes || !result.hasImage);

/** The image on the stage, with zoom, pointer and keyboard handling. */
const useStage = ({ item, options, onOptions }: StageCanvasProps) => {
  const canvas = useRef<HTMLDivElement>(null);
  const isSpaceHeld = useRef(false);
  const [isHeld, setHeld] = useState(false);
  const files = useImageFiles(item);
  const stage = useSize(canvas);
  const isBusy = useRef(false);
  const control = useView(canvas, stage, files.size, isBusy);
  const placement = stage && files.size ? place(stage, files.size, control.view) : null;

  const setReview = (review: ReviewOptions): void => onOptions({ ...options, review });
  const editor = useReview(item, options.review, setReview);
  const review = options.review.isOn && canReview(item) ? editor : null;
  const shown = flatView(stage, files.size, placement);
  const gestures = useReviewGestures(review, shown, { isPanning: isSpaceHeld, isBusy });
  useUndoKeys(review);
  const toggleBoxes = (): void => onOptions({ ...options, hasBoxes: !options.hasBoxes });

  const pointer =
    (name: keyof typeof control.handlers) =>
    (event: PointerEvent<HTMLElement>): void => {
      gestures.handlers[name](event);
      control.handlers[name](event);
    };
  const keys = stageKeys({
    control,
    toggleBoxes,
    setHeld,
    setSpace: (isDown) => {
      isSpaceHeld.current = isDown;
      if (!review) setHeld(isDown);
    },
    more: {
      ...(canReview(item) && toolKeys(editor)),
      ...(review && reviewKeys(review, shown)),
    },
  });
  const handlers = {
    ...keys,
    onPointerDown: pointer('onPointerDown'),
    onPointerMove: pointer('onPointerMove'),
    onPointerUp: pointer('onPointerUp'),
    onPointerCancel: pointer('onPointerCancel'),
  };
  const { draft } = gestures;
  return { canvas, control, files, placement, review, draft, isHeld, setHeld, handlers };
};

/** Share of the stage that shows the original. During editing the whole stage shows the result. */
const dividerAt = (canCompare: boolean, isReviewing: boolean, { divider }: StageOptions): number => {
  if (!canCompare) return ALL_ORIGINAL;
  return isReviewing ? ALL_RESULT : divider;
};

/** Boxes of detected objects, or the editor. */
const Objects = ({
  item,
  result,
  placement,
  review,
  draft,
  options,
}: {
  readonly result: MediaResult;
} & Pick<StageCanvasProps, 'item' | 'options'> &
  Pick<ReturnType<typeof useStage>, 'placement' | 'review' | 'draft'>): ReactElement => {
  if (review && placement) {
    return <ObjectLayer review={review} size={result} placement={placement} draft={draft} />;
  }
  return (
    <>
      {placement && showsBoxes(item, options) && (
        <Boxes objects={result.objects} image={result} placement={placement} />
      )}
      <ObjectList objects={result.objects} image={result} />
    </>
  );
};

const loadReviewBar = () => import('../review/review-bar');

/** Original and result of one image. Single-letter keys act only while the stage has the focus. */
const FlatStage = (props: StageCanvasProps): ReactElement => {
  const { item, options, onOptions } = props;
  const messages = useMessages();
  const [wasDone] = useState(item.status === 'done');
  const { canvas, control, files, placement, review, draft, isHeld, ...stage } = useStage(props);
  const { canCompare } = files;
  const divider = dividerAt(canCompare, review !== null, options);
  const { result } = item;
  const bar = useLoaded(review !== null, loadReviewBar);
  return (
    <>
      <div
        ref={canvas}
        className={styles['canvas']}
        style={{ '--divider': `${divider * 100}%` } as CSSProperties}
        data-zoomed={control.view.zoom > 1}
        data-held={isHeld}
        data-reveal={canCompare && !wasDone}
        data-tool={review?.options.tool}
        role="group"
        aria-label={messages.stage.canvas(item.file.name)}
        data-main-focus
        data-testid="stage"
        tabIndex={0}
        {...stage.handlers}
      >
        <Comparison name={item.file.name} files={files} placement={placement} />
        {result && <Objects {...{ item, result, placement, review, draft, options }} />}
        {canCompare && !review && (
          <Divider share={divider} onMove={(share) => onOptions({ ...options, divider: share })} />
        )}
        <StageNotice item={item} />
      </div>
      {review && bar && <bar.ReviewBar review={review} />}
      <StageTools
        {...{ ...props, control, canCompare }}
        isReviewing={review !== null}
        onHold={stage.setHeld}
      />
    </>
  );
};

const loadSphere = () => import('../sphere/sphere-stage');

/** The selected image, flat, or a panorama in a sphere. */
export const StageCanvas = (props: StageCanvasProps): ReactElement => {
  const { item, options, onOptions } = props;
  const isWanted = options.looksAround === true && isAround(item);
  const sphere = useLoaded(isWanted, loadSphere, () => onOptions({ ...options, looksAround: false }));
  return sphere ? <sphere.SphereStage {...props} /> : <FlatStage {...props} />;
};
