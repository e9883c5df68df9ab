import { toBox, type Box, type ImagePoint } from '#shared/domain/boxes';
import { clamp } from '#shared/domain/clamp';
import type { DrawnShape } from '#shared/domain/edits/edits';
import type { Size } from '#shared/domain/raster';
import type { Point } from '../stage/view-geometry';

/** Where a camera in the centre of a panorama looks, in radians. */
export interface Camera {
  /** To the right of the panorama's middle column. */
  readonly yaw: number;
  /** Above the horizon. */
  readonly pitch: number;
  /** Field of view from the upper to the lower edge. */
  readonly fov: number;
}

/** What such a camera shows: the size of its screen, and that of the panorama in px. */
export interface Scene {
  readonly camera: Camera;
  readonly stage: Size;
  readonly panorama: Size;
}

const DEGREE = Math.PI / 180;
export const CAMERA_AHEAD: Camera = { yaw: 0, pitch: 0, fov: 75 * DEGREE };
const FOV = { min: 10 * DEGREE, max: 110 * DEGREE } as const;
const STEEPEST = Math.PI / 2;

export const turnedCamera = (camera: Camera, to: Partial<Camera>): Camera => {
  const { yaw, pitch, fov } = { ...camera, ...to };
  return { yaw, pitch: clamp(pitch, -STEEPEST, STEEPEST), fov: clamp(fov, FOV.min, FOV.max) };
};

/** In the camera's own directions: to the right, up, and ahead. */
type Ray = readonly [right: number, up: number, ahead: number];

/** Distance of the screen from the camera, in px. */
export const focalOf = ({ camera, stage }: Scene): number => stage.height / 2 / Math.tan(camera.fov / 2);

/** The ray to a point of the panorama. */
const rayTo = ({ camera: { yaw, pitch }, panorama: { width, height } }: Scene, { x, y }: Point): Ray => {
  const longitude = (2 * Math.PI * x) / width - Math.PI - yaw;
  const latitude = Math.PI / 2 - (Math.PI * y) / height;
  const [up, level] = [Math.sin(latitude), Math.cos(latitude)];
  const ahead = level * Math.cos(longitude);
  return [
    level * Math.sin(longitude),
    up * Math.cos(pitch) - ahead * Math.sin(pitch),
    up * Math.sin(pitch) + ahead * Math.cos(pitch),
  ];
};

/** The point of the panorama at a point of the screen, 0 ≤ x < width. */
export const toPanorama = (scene: Scene, at: Point): Point => {
  const { camera, stage, panorama } = scene;
  const focal = focalOf(scene);
  const [right, up] = [(at.x - stage.width / 2) / focal, (stage.height / 2 - at.y) / focal];
  const [sin, cos] = [Math.sin(camera.pitch), Math.cos(camera.pitch)];
  const level = cos - up * sin;
  const longitude = Math.atan2(right, level) + camera.yaw;
  const latitude = Math.atan2(up * cos + sin, Math.hypot(right, level));
  const turns = longitude / (2 * Math.PI) + 0.5;
  return {
    x: panorama.width * (turns - Math.floor(turns)),
    y: panorama.height * (0.5 - latitude / Math.PI),
  };
};

/** Nearer to the camera's own plane, points are cut off: beyond it they would appear upside down. */
const NEAR = 0.02;

const onScreen = (scene: Scene, [right, up, ahead]: Ray): Point => {
  const { width, height } = scene.stage;
  const scale = focalOf(scene) / ahead;
  return { x: width / 2 + right * scale, y: height / 2 - up * scale };
};

/** The point of the screen at a point of the panorama; undefined behind the camera. */
export const toScreen = (scene: Scene, point: Point): Point | undefined => {
  const ray = rayTo(scene, point);
  return ray[2] > NEAR ? onScreen(scene, ray) : undefined;
};

/** Points on each edge of a box; between them an edge hardly bends. */
const STEPS = 24;
/** Points around an ellipse, or around the end of a stroke. */
const ROUND_STEPS = 48;

const boxEdge = ({ x1, y1, x2, y2 }: Box): Point[] => {
  const corners: Point[] = [
    { x: x1, y: y1 },
    { x: x2, y: y1 },
    { x: x2, y: y2 },
    { x: x1, y: y2 },
  ];
  return corners.flatMap((from, i) => {
    const to = corners[(i + 1) % corners.length] ?? from;
    return Array.from({ length: STEPS }, (_, step) => {
      const share = step / STEPS;
      return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    });
  });
};

const cutAt = (a: Ray, b: Ray): Ray => {
  const share = (NEAR - a[2]) / (b[2] - a[2]);
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), NEAR];
};

/** The part of an outline in front of the camera. @see Sutherland and Hodgman, 1974 */
const inFront = (outline: readonly Ray[]): readonly Ray[] =>
  outline.flatMap((ray, i) => {
    const before = outline[(i + outline.length - 1) % outline.length] ?? ray;
    const crossing = ray[2] > NEAR !== before[2] > NEAR ? [cutAt(before, ray)] : [];
    return ray[2] > NEAR ? [...crossing, ray] : crossing;
  });

const ellipseEdge = ({ x1, y1, x2, y2 }: Box): Point[] =>
  Array.from({ length: ROUND_STEPS }, (_, step) => {
    const angle = (2 * Math.PI * step) / ROUND_STEPS;
    return {
      x: (x1 + x2) / 2 + ((x2 - x1) / 2) * Math.cos(angle),
      y: (y1 + y2) / 2 + ((y2 - y1) / 2) * Math.sin(angle),
    };
  });

const aroundPoint = ([x, y]: ImagePoint, radius: number): Point[] =>
  ellipseEdge({ x1: x - radius, y1: y - radius, x2: x + radius, y2: y + radius });

/** A stroke from one point to the next, without its round ends. */
const alongPart = ([x, y]: ImagePoint, [nextX, nextY]: ImagePoint, radius: number): Point[] => {
  const length = Math.hypot(nextX - x, nextY - y);
  const [right, down] = [((nextY - y) * radius) / length, ((nextX - x) * -radius) / length];
  return [
    { x: x + right, y: y + down },
    { x: nextX + right, y: nextY + down },
    { x: nextX - right, y: nextY - down },
    { x: x - right, y: y - down },
  ];
};

/** What is drawn, as closed outlines in the panorama, clockwise: those of a stroke overlap. */
const edgesOf = (shape: DrawnShape): readonly (readonly Point[])[] => {
  if (shape.shape !== 'stroke') return [(shape.shape === 'box' ? boxEdge : ellipseEdge)(toBox(shape.bbox))];
  const { points, radius } = shape;
  return points.flatMap((point, i) => {
    const next = points[i + 1];
    const isPart = next && (next[0] !== point[0] || next[1] !== point[1]);
    return [aroundPoint(point, radius), ...(isPart ? [alongPart(point, next, radius)] : [])];
  });
};

const onScreenOf = (scene: Scene, edge: readonly Point[]): readonly Point[] =>
  inFront(edge.map((point) => rayTo(scene, point))).map((ray) => onScreen(scene, ray));

/** The outline of a box of the panorama on the screen; empty where all of it is behind the camera. */
export const outlineOf = (scene: Scene, box: Box): readonly Point[] => onScreenOf(scene, boxEdge(box));

/** The outlines of a drawn shape on the screen, clockwise: those of a stroke overlap. None is behind the camera. */
export const outlinesOf = (scene: Scene, shape: DrawnShape): readonly (readonly Point[])[] =>
  edgesOf(shape)
    .map((edge) => onScreenOf(scene, edge))
    .filter(({ length }) => length >= 3);

/** The look at the middle of a box. */
export const cameraAt = (camera: Camera, { x1, y1, x2, y2 }: Box, { width, height }: Size): Camera =>
  turnedCamera(camera, {
    yaw: (Math.PI * (x1 + x2)) / width - Math.PI,
    pitch: Math.PI / 2 - (Math.PI * (y1 + y2)) / 2 / height,
  });

/** The look after the screen was dragged: what was under the pointer follows it, at the middle of the screen. */
export const dragged = (scene: Scene, by: Point): Camera => {
  const { camera } = scene;
  const focal = focalOf(scene);
  const level = Math.max(0.2, Math.cos(camera.pitch));
  return turnedCamera(camera, { yaw: camera.yaw - by.x / focal / level, pitch: camera.pitch + by.y / focal });
};

/** The middle part of what the camera sees, as a box of the panorama. */
export const visibleBox = (scene: Scene): Box => {
  const { camera, stage, panorama } = scene;
  const { x, y } = toPanorama(scene, { x: stage.width / 2, y: stage.height / 2 });
  const halfY = (panorama.height * camera.fov) / Math.PI / 2;
  const level = Math.max(0.1, Math.cos(camera.pitch));
  const halfX = Math.min(panorama.width / 2, halfY / level);
  return {
    x1: x - halfX,
    y1: Math.max(0, y - halfY),
    x2: x + halfX,
    y2: Math.min(panorama.height, y + halfY),
  };
};
