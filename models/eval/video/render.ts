import { boxHeight, boxWidth, outerPixels, type Box } from '#shared/domain/boxes';
import { RGBA, type Raster } from '#shared/domain/raster';
import { readBackground, type CutOut } from './cut-outs';
import type { Random } from './random';
import { FRAME, MARGIN, type Actor, type Scene } from './scenario';

/** Truth about one object in one frame. */
export interface TrueObject {
  readonly identity: number;
  readonly objectClass: CutOut['objectClass'];
  /** May be partly outside the frame. */
  readonly box: Box;
  /** Area of the whole object, visible or not, in px. */
  readonly areaPx: number;
}

/** A frame and its truth. */
export interface RenderedFrame {
  readonly raster: Raster;
  readonly objects: readonly TrueObject[];
  /** For each pixel, 1 + the index in `objects` of the visible object, or 0. */
  readonly owners: Uint8Array;
}

/** Motion blur: mean of several sharp images while the shutter is open, which is half of the time. */
const SHUTTER = 0.5;
const SUB_FRAMES = 5;
/** Objects that move less than this while the shutter is open are drawn once. */
const STILL_PX = 1;
/** Amplitude of the sensor noise, in levels. */
const NOISE = 6;

interface Placement {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const placeActor = ({ cutOut, ...actor }: Actor, scene: Scene, t: number): Placement => {
  const { box } = cutOut;
  const scale = actor.size(t) / Math.max(boxWidth(box), boxHeight(box));
  return {
    scale,
    x: actor.x(t) - scene.cameraX(t) - (scale * (box.x1 + box.x2)) / 2,
    y: actor.y(t) - scene.cameraY(t) - (scale * (box.y1 + box.y2)) / 2,
  };
};

/** Positions of an actor while the shutter is open; one for an actor that hardly moves. */
const shutterMoments = (actor: Actor, scene: Scene, t: number): Placement[] => {
  const at = (share: number): Placement => placeActor(actor, scene, t + SHUTTER * (share - 0.5));
  const opens = at(0);
  const closes = at(1);
  if (Math.hypot(closes.x - opens.x, closes.y - opens.y) < STILL_PX) return [at(0.5)];
  return Array.from({ length: SUB_FRAMES }, (_, i) => at((i + 0.5) / SUB_FRAMES));
};

const middleOf = (moments: readonly Placement[]): Placement => moments[moments.length >> 1] as Placement;

const placed = (box: Box, { x, y, scale }: Placement): Box => ({
  x1: x + scale * box.x1,
  y1: y + scale * box.y1,
  x2: x + scale * box.x2,
  y2: y + scale * box.y2,
});

/** Maps a range to −1..1. */
const relative = (value: number, from: number, to: number): number => (2 * value - from - to) / (to - from);

/** Opacity of a cut-out at a point: it decreases softly towards the edge. */
const opacity = ({ objectClass, pixels }: CutOut, u: number, v: number): number => {
  const x = Math.abs(relative(u, 0, pixels.width));
  const y = Math.abs(relative(v, 0, pixels.height));
  const distance = objectClass === 'face' ? Math.hypot(x, y) : Math.max(x, y);
  return Math.min(1, Math.max(0, (1 - distance) / 0.15));
};

const isInside = (objectClass: CutOut['objectClass'], box: Box, x: number, y: number): boolean => {
  const across = relative(x, box.x1, box.x2);
  const down = relative(y, box.y1, box.y2);
  return objectClass === 'face'
    ? across ** 2 + down ** 2 <= 1
    : Math.max(Math.abs(across), Math.abs(down)) <= 1;
};

const outlineArea = (objectClass: CutOut['objectClass'], box: Box): number =>
  boxWidth(box) * boxHeight(box) * (objectClass === 'face' ? Math.PI / 4 : 1);

const bilinear = ({ data, width, height }: Raster, x: number, y: number, channel: number): number => {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const at = (column: number, row: number): number => data[(row * width + column) * RGBA + channel] as number;
  const fx = Math.min(1, Math.max(0, x - left));
  const fy = Math.min(1, Math.max(0, y - top));
  const upper = at(left, top) * (1 - fx) + at(right, top) * fx;
  const lower = at(left, bottom) * (1 - fx) + at(right, bottom) * fx;
  return upper * (1 - fy) + lower * fy;
};

interface Canvas {
  readonly raster: Raster;
  readonly owners: Uint8Array;
}

/** Draws an object at several moments of the shutter time, and records its pixels at the middle one. */
const drawActor = (
  { raster, owners }: Canvas,
  cutOut: CutOut,
  moments: readonly Placement[],
  owner: number,
): void => {
  const middle = middleOf(moments);
  const level = Math.max(0, Math.floor(Math.log2(1 / middle.scale)));
  const source = cutOut.pixels.level(Math.min(level, 5));
  const whole = { x1: 0, y1: 0, x2: cutOut.pixels.width, y2: cutOut.pixels.height };
  const bounds = moments.map((moment) => outerPixels(placed(whole, moment)));
  const box = placed(cutOut.box, middle);
  const fromX = Math.max(0, Math.min(...bounds.map(({ x1 }) => x1)));
  const toX = Math.min(FRAME.width, Math.max(...bounds.map(({ x2 }) => x2)));
  const fromY = Math.max(0, Math.min(...bounds.map(({ y1 }) => y1)));
  const toY = Math.min(FRAME.height, Math.max(...bounds.map(({ y2 }) => y2)));
  const shrunk = source.width / cutOut.pixels.width;
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) {
      const at = y * FRAME.width + x;
      const sum = [0, 0, 0];
      let alpha = 0;
      for (const moment of moments) {
        const u = (x + 0.5 - moment.x) / moment.scale;
        const v = (y + 0.5 - moment.y) / moment.scale;
        const share = opacity(cutOut, u, v) / moments.length;
        if (share <= 0) continue;
        alpha += share;
        for (let c = 0; c < 3; c++) {
          sum[c] = (sum[c] as number) + share * bilinear(source, u * shrunk - 0.5, v * shrunk - 0.5, c);
        }
      }
      if (alpha === 0) continue;
      for (let c = 0; c < 3; c++) {
        const under = raster.data[at * RGBA + c] as number;
        raster.data[at * RGBA + c] = Math.round((sum[c] as number) + (1 - alpha) * under);
      }
      if (isInside(cutOut.objectClass, box, x + 0.5, y + 0.5)) owners[at] = owner;
      else if (alpha > 0.5) owners[at] = 0;
    }
  }
};

const WIDE = { width: FRAME.width + 2 * MARGIN, height: FRAME.height + 2 * MARGIN } as const;

const copyWindow = ({ raster }: Canvas, wide: Uint8Array, scene: Scene, t: number): void => {
  const left = Math.round(Math.min(2 * MARGIN, Math.max(0, MARGIN + scene.cameraX(t))));
  const top = Math.round(Math.min(2 * MARGIN, Math.max(0, MARGIN + scene.cameraY(t))));
  for (let y = 0; y < FRAME.height; y++) {
    const from = ((top + y) * WIDE.width + left) * RGBA;
    raster.data.set(wide.subarray(from, from + FRAME.width * RGBA), y * FRAME.width * RGBA);
  }
};

const drawPosts = ({ raster, owners }: Canvas, post: Uint8Array, scene: Scene, t: number): void => {
  for (const occluder of scene.occluders) {
    const from = Math.max(0, Math.round(occluder.x(t)));
    const to = Math.min(FRAME.width, Math.round(occluder.x(t) + occluder.width));
    for (let y = 0; from < to && y < FRAME.height; y++) {
      const row = y * FRAME.width;
      raster.data.set(
        post.subarray(y * WIDE.width * RGBA, (y * WIDE.width + to - from) * RGBA),
        (row + from) * RGBA,
      );
      owners.fill(0, row + from, row + to);
    }
  }
};

const addNoise = ({ data }: Raster, random: Random): void => {
  for (let at = 0; at < data.length; at += RGBA) {
    const noise = random.between(-NOISE, NOISE);
    for (let c = 0; c < 3; c++) {
      data[at + c] = Math.min(255, Math.max(0, Math.round((data[at + c] as number) + noise)));
    }
  }
};

/** @param firstIdentity number of the scene's first object; the others follow */
export const renderScene = async (scene: Scene, firstIdentity: number, random: Random) => {
  const wide = await readBackground(scene.background, WIDE.width, WIDE.height);
  const post = await readBackground(scene.post, WIDE.width, WIDE.height);
  return (t: number): RenderedFrame => {
    const data = new Uint8Array(FRAME.width * FRAME.height * RGBA).fill(255);
    const canvas = { raster: { ...FRAME, data }, owners: new Uint8Array(FRAME.width * FRAME.height) };
    copyWindow(canvas, wide, scene, t);
    const objects = scene.actors.map((actor, index) => {
      const moments = shutterMoments(actor, scene, t);
      drawActor(canvas, actor.cutOut, moments, index + 1);
      const { objectClass } = actor.cutOut;
      const box = placed(actor.cutOut.box, middleOf(moments));
      return { identity: firstIdentity + index, objectClass, box, areaPx: outlineArea(objectClass, box) };
    });
    drawPosts(canvas, post, scene, t);
    addNoise(canvas.raster, random);
    return { ...canvas, objects };
  };
};
