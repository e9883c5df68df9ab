import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { Size } from '#shared/domain/raster';
import type { EditedView } from '../review/use-review-input';
import { ZOOM_STEP } from '../stage/use-view';
import type { Point } from '../stage/view-geometry';
import {
  CAMERA_AHEAD,
  dragged,
  focalOf,
  turnedCamera,
  toPanorama,
  visibleBox,
  type Camera,
  type Scene,
} from './sphere-geometry';

const WHEEL_SENSITIVITY = 0.002;
/** Turn of one press of an arrow key, as a share of the field of view. */
const KEY_SHARE = 0.15;

/** Turns and zooms by pointer, wheel and keys. */
export const useTurning = (root: RefObject<HTMLElement | null>, isBusy: { readonly current: boolean }) => {
  const [look, setLook] = useState(CAMERA_AHEAD);
  const pressed = useRef<{ readonly id: number; readonly at: Point } | null>(null);
  const zoomBy = (factor: number): void => setLook((now) => turnedCamera(now, { fov: now.fov / factor }));
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
      turnedCamera(now, {
        yaw: now.yaw + right * KEY_SHARE * now.fov,
        pitch: now.pitch + up * KEY_SHARE * now.fov,
      }),
    );
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: turn(-1, 0),
    ArrowRight: turn(1, 0),
    ArrowUp: turn(0, 1),
    ArrowDown: turn(0, -1),
    '+': () => zoomBy(ZOOM_STEP),
    '=': () => zoomBy(ZOOM_STEP),
    '-': () => zoomBy(1 / ZOOM_STEP),
    '0': () => setLook(CAMERA_AHEAD),
  };
  return {
    look,
    setLook,
    zoomBy,
    keys,
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
        setLook((now) => dragged({ ...scene, camera: now }, { x: at.x - from.at.x, y: at.y - from.at.y }));
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
};

/** The panorama as it is edited. A drag over the seam goes on behind it. */
export const useEditedView = (scene: Scene | null) => {
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

export const sceneOf = (camera: Camera, stage: Size | null, panorama: Size | null): Scene | null =>
  stage && panorama && stage.height > 0 ? { camera, stage, panorama } : null;
