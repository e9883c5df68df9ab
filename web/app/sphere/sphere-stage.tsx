import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { useMessages } from '../messages';
import { ReviewBar } from '../review/review-bar';
import type { ReviewOptions } from '../review/tools';
import { isOnImage, reviewKeys, toolKeys, useReviewGestures } from '../review/use-review-input';
import { canReview, useReview } from '../review/use-review';
import { useUndoKeys } from '../review/undoing';
import { StageNotice } from '../stage/stage-notice';
import { StageTools, type StageCanvasProps } from '../stage/stage-tools';
import { useImageFiles } from '../stage/use-files';
import { useSize } from '../stage/use-size';
import { keyHandler } from '../ui/use-keys';
import { CAMERA_AHEAD, cameraAt, type Scene } from './sphere-geometry';
import { SphereObjects } from './sphere-objects';
import { sceneOf, useEditedView, useTurning } from './use-camera';
import { useRenderer } from './use-renderer';
import stageStyles from '../stage/stage.module.css';
import styles from './sphere.module.css';

/** Draws the panorama as the camera sees it. @returns whether this browser cannot */
const useDrawing = (
  canvas: RefObject<HTMLCanvasElement | null>,
  url: string | null,
  scene: Scene | null,
): boolean => {
  const { renderer, hasFailed, context } = useRenderer(canvas);
  // Another object for each read image, also for the same one again.
  const [shown, setShown] = useState<object>();
  const size = scene?.panorama;
  useEffect(() => {
    if (!url || !size) return;
    renderer.current?.show(url, size).then(
      () => setShown({}),
      // The next result follows at once: the address of this one is gone.
      () => undefined,
    );
  }, [url, size?.width, size?.height, context]);
  useEffect(() => {
    if (shown && scene) renderer.current?.draw(scene, window.devicePixelRatio);
  }, [shown, scene]);
  return hasFailed;
};

const useSphere = ({ item, options, onOptions }: StageCanvasProps) => {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isBusy = useRef(false);
  const isPanning = useRef(false);
  const files = useImageFiles(item);
  const turning = useTurning(root, isBusy);
  const scene = sceneOf(turning.look, useSize(root), files.size);
  const hasFailed = useDrawing(canvas, files.resultUrl ?? files.originalUrl, scene);
  const editor = useReview(item, options.review, (review: ReviewOptions) =>
    onOptions({ ...options, review }),
  );
  const review = options.review.isOn && canReview(item) ? editor : null;
  useUndoKeys(review);
  const { view, onPress } = useEditedView(scene);
  const gestures = useReviewGestures(review, view, { isPanning, isBusy });
  const keys: Readonly<Record<string, () => void>> = {
    ...turning.keys,
    b: () => onOptions({ ...options, hasBoxes: !options.hasBoxes }),
    ...(canReview(item) && toolKeys(editor)),
    ...(review && reviewKeys(review, view)),
  };
  const isOwn = (event: KeyboardEvent): boolean =>
    isOnImage(event) && (event.target === event.currentTarget || event.key !== 'Enter');
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
  const { item, options } = props;
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
        aria-label={text.canvas(item.file.name)}
        data-main-focus
        data-testid="sphere"
        tabIndex={0}
        {...handlers}
      >
        <canvas
          ref={canvas}
          className={`over ${styles['view']}`}
          role="img"
          aria-label={text.alt(item.file.name)}
        />
        {scene && item.result && view && (
          <SphereObjects
            {...{ result: item.result, scene, review, draft }}
            image={view.image}
            hasBoxes={options.hasBoxes}
            onShow={(box) => turning.setLook((now) => cameraAt(now, box, scene.panorama))}
          />
        )}
        {hasFailed && <p className={styles['failed']}>{text.cannotShow}</p>}
        <StageNotice item={item} />
      </div>
      {review && <ReviewBar review={review} />}
      <StageTools
        {...props}
        control={{ zoomBy: turning.zoomBy, fit: () => turning.setLook(CAMERA_AHEAD) }}
        canCompare={false}
        isReviewing={review !== null}
        onHold={() => undefined}
      />
    </>
  );
};
