import { useEffect, useRef, type PointerEvent, type ReactElement, type RefObject } from 'react';
import { toBox, type Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import type { FoundObject, MediaResult } from '../../state/media-item';
import { useMessages } from '../messages';
import type { Keys } from '../ui/use-keys';
import { drawProps, type Drawing } from '../video/use-drawing';
import type { Playback } from '../video/use-playback';
import { SphereDrawBox } from './sphere-draw-box';
import { cameraAt, type Scene } from './sphere-geometry';
import { FoundObjects } from './sphere-parts';
import { sceneOf, useEditedView, useTurning } from './use-camera';
import { useRenderer } from './use-renderer';
import { watchFrames } from './watch-frames';
import styles from './sphere.module.css';

/** Draws each frame that the video shows, as the camera sees it. @param url of the video @returns whether this browser cannot */
const useVideoDrawing = (
  canvas: RefObject<HTMLCanvasElement | null>,
  { leader }: Pick<Playback, 'leader'>,
  url: string | null,
  scene: Scene | null,
): boolean => {
  const { renderer, hasFailed, context } = useRenderer(canvas);
  const shown = useRef(scene);
  shown.current = scene;
  const draw = (): void => {
    if (shown.current) renderer.current?.draw(shown.current, window.devicePixelRatio);
  };
  useEffect(() => {
    const video = leader();
    return video
      ? watchFrames(video, () => {
          renderer.current?.showFrame(video);
          draw();
        })
      : undefined;
    // Another address may be that of another element.
  }, [url, context]);
  useEffect(draw, [scene]);
  return hasFailed;
};

interface SphereVideoProps {
  readonly name: string;
  /** Of the video that is shown. */
  readonly url: string | null;
  readonly result: MediaResult;
  readonly stage: Size | null;
  readonly playback: Playback;
  readonly marked: FoundObject | undefined;
  readonly drawing: Drawing;
  /** Receives what keys do while the stage has the focus. */
  readonly keys: RefObject<Keys>;
}

/** While a box is drawn, the view has no handlers. */
const NEVER_BUSY = { current: false };

const boxOf = ({ x, y, width, height }: FoundObject): Box => toBox([x, y, x + width, y + height]);

/** Turns to what is marked or changed, when that changes. */
const useTarget = (
  { drawing, marked }: Pick<SphereVideoProps, 'drawing' | 'marked'>,
  turn: (to: Box) => void,
): void => {
  const target = drawing.isActive ? drawing.changed?.box : marked && boxOf(marked);
  useEffect(() => {
    if (target) turn(target);
    // A new box of the same place is no reason to turn back.
  }, [drawing.changed, marked]);
};

/** What lies on the sphere: the box that is drawn, or what is marked. */
const Overlay = ({
  scene,
  result,
  marked,
  drawing,
  onLookAt,
}: Pick<SphereVideoProps, 'result' | 'marked' | 'drawing'> & {
  readonly scene: Scene;
  readonly onLookAt: (box: Box) => void;
}): ReactElement | null => {
  const { view, onPress } = useEditedView(scene);
  if (!drawing.isActive) return marked ? <FoundObjects objects={[marked]} scene={scene} /> : null;
  return view && <SphereDrawBox {...{ scene, view, onPress, onLookAt }} {...drawProps(result, drawing)} />;
};

/** The frame of a 360° video in view, as a camera in its middle sees it: to look around, and to draw on. */
export const SphereVideo = ({
  name,
  url,
  stage,
  playback,
  keys,
  ...shown
}: SphereVideoProps): ReactElement => {
  const { result, drawing } = shown;
  const text = useMessages().panorama;
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { look, setLook, handlers, keys: turns } = useTurning(root, NEVER_BUSY);
  const scene = sceneOf(look, stage, result);
  const hasFailed = useVideoDrawing(canvas, playback, url, scene);
  const onLookAt = (box: Box): void => setLook((now) => cameraAt(now, box, result));
  useTarget(shown, onLookAt);
  useEffect(() => {
    keys.current = turns;
    return () => {
      keys.current = {};
    };
  }, []);
  const turning = scene &&
    !drawing.isActive && {
      ...handlers,
      onPointerMove: (event: PointerEvent<HTMLElement>): void => handlers.onPointerMove(event, scene),
    };
  return (
    <div
      ref={root}
      className={`over ${styles['around']}`}

      data-testid="sphere"
      {...turning}
    >
      <canvas ref={canvas} className={`over ${styles['view']}`} role="img" aria-label={text.alt(name)} />
      {scene && <Overlay {...{ ...shown, scene, onLookAt }} />}
      {hasFailed && <p className={styles['failed']}>{text.cannotShow}</p>}
    </div>
  );
};
