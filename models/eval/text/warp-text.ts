import { type Corner, type Corners, mapCorners } from '#shared/domain/detection';
import { RGBA } from '#shared/domain/raster';
import type { LabelledText } from './draw-text';
import { squareToCorners } from '#shared/engine/pixels/homography';
import { sample } from '#shared/engine/pixels/straighten';

/** Whether a point lies in a convex quadrilateral with corners in clockwise order. */
const isInside = (corners: Corners, [x, y]: Corner): boolean =>
  corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4] as Corner;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });

/** The projection from a quadrilateral to the unit square, by the inverse of its matrix. */
const cornersToSquare = (corners: Corners): ((point: Corner) => Corner) => {
  const project = squareToCorners(corners);
  // Newton's method: few steps, and exact enough for pixels.
  return ([x, y]) => {
    let [u, v] = [0.5, 0.5];
    for (let step = 0; step < 8; step++) {
      const [px, py] = project([u, v]);
      const e = 1e-4;
      const [ux, uy] = project([u + e, v]);
      const [vx, vy] = project([u, v + e]);
      const [a, b, c, d] = [(ux - px) / e, (vx - px) / e, (uy - py) / e, (vy - py) / e];
      const divisor = a * d - b * c;
      u += (d * (x - px) - b * (y - py)) / divisor;
      v += (a * (y - py) - c * (x - px)) / divisor;
    }
    return [u, v];
  };
};

/** Where a point of a place lies in the drawing on it; both in 0..1. */
type Bend = (point: Corner) => Corner;

/** How far the middle of a cylinder's edge hangs below its ends, as a share of its height. */
const SAG = 0.16;

/** A drawing around the visible half of a cylinder, which is seen from slightly above. */
export const aroundCylinder: Bend = ([u, v]) => {
  const across = 2 * u - 1;
  const sag = SAG * Math.sqrt(1 - across ** 2);
  return [0.5 + Math.asin(across) / Math.PI, (v - sag) / (1 - SAG)];
};

/** The level rectangle around ink. */
const boundsOf = (ink: readonly number[], width: number): Corners => {
  const xs = ink.map((at) => at % width);
  const ys = ink.map((at) => Math.floor(at / width));
  const pick = (values: readonly number[], choose: (a: number, b: number) => number): number =>
    values.reduce((a, b) => choose(a, b));
  const [left, right] = [pick(xs, Math.min), pick(xs, Math.max) + 1];
  const [top, bottom] = [pick(ys, Math.min), pick(ys, Math.max) + 1];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
};

/**
 * Puts an image, seen in perspective, onto a scene, where it covers the lines behind it.
 *
 * @param corners its place in the scene
 * @param bend for a surface that is not flat
 */
export const putOnScene = (
  { raster: scene, lines: behind }: LabelledText,
  { raster, lines }: LabelledText,
  corners: Corners,
  bend?: Bend,
): LabelledText => {
  const { width, height } = raster;
  const toSquare = cornersToSquare(corners);
  const toScene = squareToCorners(corners);
  const lineOf = new Int16Array(width * height).fill(-1);
  lines.forEach(({ ink }, i) => ink.forEach((at) => (lineOf[at] = i)));
  const ink = lines.map((): number[] => []);
  const covered = new Uint8Array(scene.width * scene.height);
  const data = Uint8Array.from(scene.data);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y < Math.min(scene.height, Math.max(...ys)); y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs))); x < Math.min(scene.width, Math.max(...xs)); x++) {
      const point: Corner = [x + 0.5, y + 0.5];
      if (!isInside(corners, point)) continue;
      const flat = toSquare(point);
      const [u, v] = bend ? bend(flat) : flat;
      const at = y * scene.width + x;
      sample(raster, [u * width, v * height], data, RGBA * at);
      covered[at] = 1;
      const [column, row] = [Math.floor(u * width), Math.floor(v * height)];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      ink[lineOf[row * width + column] ?? -1]?.push(at);
    }
  }
  return {
    raster: { ...scene, data },
    lines: [
      ...behind.map((line) => ({ ...line, ink: line.ink.filter((at) => covered[at] === 0) })),
      ...lines.map((line, i) => ({
        ...line,
        ink: ink[i] as number[],
        corners: bend
          ? boundsOf(ink[i] as number[], scene.width)
          : mapCorners(line.corners, ([x, y]) => toScene([x / width, y / height])),
      })),
    ].filter((line) => line.ink.length > 0),
  };
};
