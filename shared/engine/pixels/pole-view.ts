import type { Box } from '../../domain/boxes';
import { clamp } from '../../domain/clamp';
import type { Corner, Pole } from '../../domain/detection';
import { OPAQUE, RGBA, type Raster, type Size, wordsOf } from '../../domain/raster';

/**
 * The view of a pole: what a camera with a field of view of 90° sees that looks straight up or down from the centre of
 * an equirectangular panorama, with the panorama's left edge at the lower (`top`) or upper (`bottom`) end.
 *
 * Near a pole a panorama shows a face many times as wide as high, and no detector knows it. The view shows it as it is.
 */
export interface PoleView {
  readonly pole: Pole;
  /** Of the panorama. */
  readonly size: Size;
}

/** Polar distances up to this are searched in the view; the rest of the view shows their objects whole. */
export const CAP_RADIANS = Math.PI / 6;

/** The side of a view in px: a quarter of the panorama's width, as a cube's face has. */
export const viewSide = ({ width }: Size): number => Math.max(1, Math.round(width / 4));

/** The pole itself, in px of the view from its left and upper edge; also the focal length. */
export const viewCentre = (size: Size): number => viewSide(size) / 2;

/** Distance of a row from the pole. @returns radians, 0 at the pole */
export const polarDistance = ({ pole, size: { height } }: PoleView, y: number): number =>
  (Math.PI * (pole === 'top' ? y : height - y)) / height;

/** Whether azimuth 0 is at the lower or at the upper end. */
const downOf = (pole: Pole): 1 | -1 => (pole === 'top' ? 1 : -1);

/** Converts a point of the panorama to view px; undefined beyond the horizon. */
export const toView = (view: PoleView, [x, y]: Corner): Corner | undefined => {
  const distance = polarDistance(view, y);
  if (distance >= Math.PI / 2 - 1e-3) return undefined;
  const centre = viewCentre(view.size);
  const radius = centre * Math.tan(distance);
  const azimuth = (2 * Math.PI * x) / view.size.width;
  return [centre + radius * Math.sin(azimuth), centre + downOf(view.pole) * radius * Math.cos(azimuth)];
};

/** Azimuth, -π..π, and distance from the pole of a point of the view, in radians. */
const anglesAt = ({ pole, size }: PoleView, [u, v]: Corner): readonly [azimuth: number, distance: number] => {
  const centre = viewCentre(size);
  const right = u - centre;
  const down = downOf(pole) * (v - centre);
  return [Math.atan2(right, down), Math.atan(Math.hypot(right, down) / centre)];
};

/** Converts a point of the view to px of the panorama, 0 ≤ x < width. */
export const fromView = (view: PoleView, point: Corner): Corner => {
  const { width, height } = view.size;
  const [azimuth, distance] = anglesAt(view, point);
  const x = (width * azimuth) / (2 * Math.PI);
  const fromPole = (height * distance) / Math.PI;
  return [x < 0 ? x + width : x, view.pole === 'top' ? fromPole : height - fromPole];
};

/** Points on each edge of a box that are converted: between them the edge hardly bends. */
const STEPS = 16;

/** Points along a box's edges, corners included. */
const edgePoints = ({ x1, y1, x2, y2 }: Box): Corner[] =>
  Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS).flatMap((share): Corner[] => {
    const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    return [
      [x, y1],
      [x, y2],
      [x1, y],
      [x2, y],
    ];
  });

export const nearestDistance = (view: PoleView, { x1, y1, x2, y2 }: Box): number => {
  const centre = viewCentre(view.size);
  return anglesAt(view, [clamp(centre, x1, x2), clamp(centre, y1, y2)])[1];
};

/**
 * The smallest box of whole px in the panorama that holds a box of the view: a band over the whole width if the pole is
 * inside, and beyond the right edge if it lies on the seam.
 */
export const boundsFromView = (view: PoleView, box: Box): Box => {
  const { width, height } = view.size;
  const points = edgePoints(box).map((point) => anglesAt(view, point));
  const far = Math.ceil((height * Math.max(...points.map(([, distance]) => distance))) / Math.PI);
  const nearest = nearestDistance(view, box);
  const near = Math.floor((height * nearest) / Math.PI);
  const [y1, y2] = view.pole === 'top' ? [near, far] : [height - far, height - near];
  if (nearest === 0) return { x1: 0, y1, x2: width, y2 };
  const [middle] = anglesAt(view, [(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2]);
  const turns = points.map(([azimuth]) => {
    const turn = azimuth - middle;
    return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
  });
  const column = (turn: number): number => (width * (middle + turn)) / (2 * Math.PI);
  const x1 = Math.floor(column(Math.min(...turns)));
  const x2 = Math.ceil(column(Math.max(...turns)));
  const shift = x1 < 0 ? width : 0;
  return { x1: x1 + shift, y1, x2: x2 + shift, y2 };
};

/** The box of the view around a box of the panorama; undefined if that reaches beyond the horizon. */
export const boundsInView = (view: PoleView, box: Box): Box | undefined => {
  const points = edgePoints(box).map((point) => toView(view, point));
  if (!points.every((point) => point !== undefined)) return undefined;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

/** Where each px of a part of a view comes from, in px of the panorama. */
interface Sources {
  readonly width: number;
  readonly height: number;
  readonly xs: Float32Array;
  readonly ys: Float32Array;
}

const sourcesOf = (view: PoleView, { x1, y1, x2, y2 }: Box): Sources => {
  const [width, height] = [x2 - x1, y2 - y1];
  const xs = new Float32Array(width * height);
  const ys = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const [fromX, fromY] = fromView(view, [x1 + x + 0.5, y1 + y + 0.5]);
      xs[at] = fromX - 0.5;
      ys[at] = fromY - 0.5;
    }
  }
  return { width, height, xs, ys };
};

/** Samples the panorama, bilinear; columns continue over the seam. */
const sample = ({ data, width, height }: Raster, { xs, ys, ...size }: Sources): Raster => {
  const out = new Uint8Array(xs.length * RGBA);
  const words = wordsOf({ ...size, data: out }).fill(OPAQUE >>> 0);
  for (let i = 0; i < words.length; i++) {
    const [x, y] = [xs[i] as number, ys[i] as number];
    const left = Math.floor(x);
    const upper = Math.floor(y);
    const [shareX, shareY] = [x - left, y - upper];
    const near = RGBA * ((left + width) % width);
    const far = RGBA * ((left + 1 + width) % width);
    const above = RGBA * width * clamp(upper, 0, height - 1);
    const below = RGBA * width * clamp(upper + 1, 0, height - 1);
    for (let channel = 0; channel < 3; channel++) {
      const high =
        (data[above + near + channel] as number) * (1 - shareX) +
        (data[above + far + channel] as number) * shareX;
      const low =
        (data[below + near + channel] as number) * (1 - shareX) +
        (data[below + far + channel] as number) * shareX;
      out[i * RGBA + channel] = high + (low - high) * shareY + 0.5;
    }
  }
  return { ...size, data: out };
};

/** Makes a part of a view. @param part whole px of the view; it may reach beyond its edges */
export const renderPart = (raster: Raster, view: PoleView, part: Box): Raster =>
  sample(raster, sourcesOf(view, part));

/** Makes a function that returns the view in each of many panoramas: where px come from is computed once. */
export const viewRenderer = (view: PoleView): ((raster: Raster) => Raster) => {
  const side = viewSide(view.size);
  let sources: Sources | undefined;
  return (raster) => {
    sources ??= sourcesOf(view, { x1: 0, y1: 0, x2: side, y2: side });
    return sample(raster, sources);
  };
};
