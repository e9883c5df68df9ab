import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import type { Size } from '#shared/domain/raster';
import { useMessages } from '../messages';
import { ReviewBar } from '../review/review-bar';
import type { ReviewOptions } from '../review/tools';
import {
  isOnPicture,
  reviewKeys,
  toolKeys,
  useReviewGestures,
  type EditedView,
} from '../review/use-review-input';
import { canReview, useReview } from '../review/use-review';
import { useUndoKeys } from '../review/undoing';
import { StageNotice } from '../stage/stage-notice';
import { StageTools, type StageCanvasProps } from '../stage/stage-tools';
import { usePictureFiles } from '../stage/use-files';
import { useSize } from '../stage/use-size';
import { ZOOM_STEP } from '../stage/use-view';
import type { Point } from '../stage/view-geometry';
import { keyHandler } from '../ui/use-keys';
import {
  AHEAD,
  dragged,
  focalOf,
  lookAt,
  looking,
  toPanorama,
  visibleBox,
  type Look,
  type Scene,
} from './sphere-geometry';
import { SphereObjects } from './sphere-objects';
import { createSphereRenderer, type SphereRenderer } from './sphere-renderer';
import stageStyles from '../stage/stage.module.css';
import styles from './sphere.module.css';

const WHEEL_SENSITIVITY = 0.002;
/** Turn of one press of an arrow key, as a share of the field of view. */
const KEY_SHARE = 0.15;

/** Draws the panorama as the camera sees it. @returns whether this browser cannot */
const useDrawing = (
  canvas: RefObject<HTMLCanvasElement | null>,
  url: string | null,
  scene: Scene | null,
): boolean => {
  const renderer = useRef<SphereRenderer | undefined>(undefined);
  const [shown, setShown] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const made = createSphereRenderer(canvas.current);
    renderer.current = made;
    setFailed(!made);
    return () => made?.release();
  }, [canvas]);
  const size = scene?.panorama;
  useEffect(() => {
    if (!url || !size) return;
    renderer.current?.show(url, size).then(
      () => setShown(url),
      // The next result follows at once: the address of this one is gone.
      () => undefined,
    );
  }, [url, size?.width, size?.height]);
  useEffect(() => {
    if (shown && scene) renderer.current?.draw(scene, window.devicePixelRatio);
  }, [shown, scene]);
  return hasFailed;
};

/** Turns and zooms by pointer, wheel and keys. */
const useTurning = (root: RefObject<HTMLElement | null>, isBusy: { readonly current: boolean }) => {
  const [look, setLook] = useState(AHEAD);
  const pressed = useRef<{ readonly id: number; readonly at: Point } | null>(null);
  const zoomBy = (factor: number): void => setLook((now) => looking(now, { fov: now.fov / factor }));
  useEffect(() => {
    const { current } = root;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * WHEEL_SENSITIVITY));
    };
    current?.addEventListener('wheel', onWheel, { passive: false });
    return () => current?.removeEventListener('wheel', onWheel);
  }, [root]);
  const release = (): void => {
    pressed.current = null;
  };
  const turn = (right: number, up: number) => (): void =>
    setLook((now) =>
      looking(now, {
        yaw: now.yaw + right * KEY_SHARE * now.fov,
        pitch: now.pitch + up * KEY_SHARE * now.fov,
      }),
    );
  return {
    look,
    setLook,
    zoomBy,
    keys: { ArrowLeft: turn(-1, 0), ArrowRight: turn(1, 0), ArrowUp: turn(0, 1), ArrowDown: turn(0, -1) },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = { id: event.pointerId, at: { x: event.clientX, y: event.clientY } };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>, scene: Scene): void => {
        const from = pressed.current;
        if (from?.id !== event.pointerId || isBusy.current) return;
        const at = { x: event.clientX, y: event.clientY };
        pressed.current = { id: from.id, at };
        setLook((now) => dragged({ ...scene, look: now }, { x: at.x - from.at.x, y: at.y - from.at.y }));
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
};

/** The panorama in the editor. A drag over the seam goes on behind it. */
const useEditedView = (scene: Scene | null) => {
  const lastX = useRef<number | null>(null);
  const view: EditedView | null = scene && {
    image: {
      ...scene.panorama,
      pxPerScreenPx: scene.panorama.width / (2 * Math.PI * focalOf(scene)),
      wraps: true,
    },
    visible: visibleBox(scene),
    pointAt: (position) => {
      const { x, y } = toPanorama(scene, position);
      const { width } = scene.panorama;
      const turns = lastX.current === null ? 0 : Math.round((lastX.current - x) / width);
      lastX.current = x + turns * width;
      return { x: lastX.current, y };
    },
  };
  return {
    view,
    onPress: (): void => {
      lastX.current = null;
    },
  };
};

const sceneOf = (look: Look, stage: Size | null, panorama: Size | null): Scene | null =>
  stage && panorama && stage.height > 0 ? { look, stage, panorama } : null;

const useSphere = ({ picture, options, onOptions }: StageCanvasProps) => {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isBusy = useRef(false);
  const isPanning = useRef(false);
  const files = usePictureFiles(picture);
  const turning = useTurning(root, isBusy);
  const scene = sceneOf(turning.look, useSize(root), files.size);
  const hasFailed = useDrawing(canvas, files.resultUrl ?? files.originalUrl, scene);
  const editor = useReview(picture, options.review, (review: ReviewOptions) =>
    onOptions({ ...options, review }),
  );
  const review = options.review.isOn && canReview(picture) ? editor : null;
  useUndoKeys(review);
  const { view, onPress } = useEditedView(scene);
  const gestures = useReviewGestures(review, view, { isPanning, isBusy });
  const keys: Readonly<Record<string, () => void>> = {
    ...turning.keys,
    '+': () => turning.zoomBy(ZOOM_STEP),
    '=': () => turning.zoomBy(ZOOM_STEP),
    '-': () => turning.zoomBy(1 / ZOOM_STEP),
    '0': () => turning.setLook(AHEAD),
    b: () => onOptions({ ...options, hasBoxes: !options.hasBoxes }),
    ...(canReview(picture) && toolKeys(editor)),
    ...(review && reviewKeys(review, view)),
  };
  const isOwn = (event: KeyboardEvent): boolean =>
    isOnPicture(event) && (event.target === event.currentTarget || event.key !== 'Enter');
  const handlers = {
    onKeyDown: (event: KeyboardEvent): void => {
      keyHandler(keys, isOwn)(event);
      // The arrows turn the view, and do not step through the files.
      if (event.key in turning.keys) event.stopPropagation();
    },
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      onPress();
      gestures.handlers.onPointerDown(event);
      turning.handlers.onPointerDown(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      gestures.handlers.onPointerMove(event);
      if (scene) turning.handlers.onPointerMove(event, scene);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>): void => {
      gestures.handlers.onPointerUp(event);
      turning.handlers.onPointerUp();
    },
    onPointerCancel: (): void => {
      gestures.handlers.onPointerCancel();
      turning.handlers.onPointerCancel();
    },
  };
  return { root, canvas, scene, review, draft: gestures.draft, handlers, turning, view, hasFailed };
};

/** A panorama as a camera in its middle sees it: to look around, and to check and change what is hidden. */
export const SphereStage = (props: StageCanvasProps): ReactElement => {
  const { picture, options } = props;
  const messages = useMessages();
  const text = messages.panorama;
  const { root, canvas, scene, review, draft, handlers, turning, view, hasFailed } = useSphere(props);
  return (
    <>
      <div
        ref={root}
        className={stageStyles['canvas']}
        data-zoomed="true"
        data-tool={review?.options.tool}
        role="group"
        aria-label={text.canvas(picture.file.name)}
        data-main-focus
        data-testid="sphere"
        tabIndex={0}
        {...handlers}
      >
        <canvas
          ref={canvas}
          className={`over ${styles['view']}`}
          role="img"
          aria-label={text.alt(picture.file.name)}
        />
        {scene && picture.result && view && (
          <SphereObjects
            {...{ result: picture.result, scene, review, draft }}
            image={view.image}
            hasBoxes={options.hasBoxes}
            onLookAt={(box) => turning.setLook((now) => lookAt(now, box, scene.panorama))}
          />
        )}
        {hasFailed && <p className={styles['failed']}>{text.cannotShow}</p>}
        <StageNotice picture={picture} />
      </div>
      {review && <ReviewBar review={review} />}
      <StageTools
        {...props}
        control={{ zoomBy: turning.zoomBy, fit: () => turning.setLook(AHEAD) }}
        canCompare={false}
        isReviewing={review !== null}
        onHold={() => undefined}
      />
    </>
  );
};
