import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '../../domain/boxes';
import { RGBA, type Raster } from '../../domain/raster';
import { rasteriseRegion } from './coverage';
import { CLASS_RULES } from '../../catalogue/class-rules';
import type { RedactionPlan, Region } from '../../domain/plan';

/**
 * Rows of a 5 × 7 glyph, five bits each, the leftmost pixel in the highest bit. Letters, numbers, and what codes of
 * reasons have next to them.
 */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  a: [0, 0, 14, 1, 15, 17, 15],
  b: [16, 16, 22, 25, 17, 17, 30],
  c: [0, 0, 14, 16, 16, 17, 14],
  d: [1, 1, 13, 19, 17, 17, 15],
  e: [0, 0, 14, 17, 31, 16, 14],
  f: [6, 9, 8, 28, 8, 8, 8],
  g: [0, 15, 17, 17, 15, 1, 14],
  h: [16, 16, 22, 25, 17, 17, 17],
  i: [4, 0, 12, 4, 4, 4, 14],
  j: [2, 0, 6, 2, 2, 18, 12],
  k: [16, 16, 18, 20, 24, 20, 18],
  l: [12, 4, 4, 4, 4, 4, 14],
  m: [0, 0, 26, 21, 21, 17, 17],
  n: [0, 0, 22, 25, 17, 17, 17],
  o: [0, 0, 14, 17, 17, 17, 14],
  p: [0, 0, 30, 17, 30, 16, 16],
  q: [0, 0, 13, 19, 15, 1, 1],
  r: [0, 0, 22, 25, 16, 16, 16],
  s: [0, 0, 14, 16, 14, 1, 30],
  t: [8, 8, 28, 8, 8, 9, 6],
  u: [0, 0, 17, 17, 17, 19, 13],
  v: [0, 0, 17, 17, 17, 10, 4],
  w: [0, 0, 17, 17, 21, 21, 10],
  x: [0, 0, 17, 10, 4, 10, 17],
  y: [0, 0, 17, 17, 15, 1, 14],
  z: [0, 0, 31, 2, 4, 8, 31],
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  G: [14, 17, 16, 23, 17, 17, 15],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  J: [7, 2, 2, 2, 2, 18, 12],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 17, 25, 21, 19, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  Q: [14, 17, 17, 17, 21, 18, 13],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  W: [17, 17, 17, 21, 21, 21, 10],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 17, 10, 4, 4, 4],
  Z: [31, 1, 2, 4, 8, 16, 31],
  '(': [2, 4, 8, 8, 8, 4, 2],
  ')': [8, 4, 2, 2, 2, 4, 8],
  '/': [0, 1, 2, 4, 8, 16, 0],
  ',': [0, 0, 0, 0, 12, 4, 8],
  ':': [0, 12, 12, 0, 12, 12, 0],
  '§': [6, 8, 12, 10, 6, 2, 12],
  _: [0, 0, 0, 0, 0, 0, 31],
  '-': [0, 0, 0, 31, 0, 0, 0],
  '.': [0, 0, 0, 0, 0, 12, 12],
  ' ': [0, 0, 0, 0, 0, 0, 0],
  0: [14, 17, 19, 21, 25, 17, 14],
  1: [4, 12, 4, 4, 4, 4, 14],
  2: [14, 17, 1, 2, 4, 8, 31],
  3: [31, 2, 4, 2, 1, 17, 14],
  4: [2, 6, 10, 18, 31, 2, 2],
  5: [31, 16, 30, 1, 1, 17, 14],
  6: [6, 8, 16, 30, 17, 17, 14],
  7: [31, 1, 2, 4, 8, 8, 8],
  8: [14, 17, 17, 14, 17, 17, 14],
  9: [14, 17, 17, 15, 1, 2, 12],
};
const GLYPH_WIDTH = 5;
const ADVANCE = GLYPH_WIDTH + 1;

/** In unscaled px. */
export const TEXT_HEIGHT = 7;
export const textWidth = (text: string): number => text.length * ADVANCE;

/**
 * Calls `set` for each pixel of a text, offsets from its upper left corner.
 *
 * A bitmap font, because labels must be the same on both hosts and a server may have no fonts.
 */
export const drawText = (text: string, scale: number, set: (dx: number, dy: number) => void): void => {
  [...text].forEach((character, i) => {
    const rows = GLYPHS[character] ?? [];
    for (let y = 0; y < rows.length * scale; y++) {
      const bits = rows[Math.floor(y / scale)] as number;
      for (let x = 0; x < GLYPH_WIDTH * scale; x++) {
        const bit = GLYPH_WIDTH - 1 - Math.floor(x / scale);
        if ((bits >> bit) & 1) set(i * ADVANCE * scale + x, y);
      }
    }
  });
};

type Rgb = readonly [number, number, number];

const colourOf = ({ detection }: Region): Rgb => CLASS_RULES[detection.objectClass].colour.debug;

/** Share of the class's colour in the pixels of a mask. */
const TINT = 0.35;

const blend = (raster: Raster, pixel: number, colour: Rgb, share: number): void => {
  for (let channel = 0; channel < 3; channel++) {
    const at = pixel * RGBA + channel;
    const old = raster.data[at] as number;
    raster.data[at] = Math.round(old + ((colour[channel] as number) - old) * share);
  }
};

export const fillBox = (raster: Raster, box: Box, colour: Rgb): void => {
  const inside = outerPixels(clipBox(box, raster.width, raster.height));
  for (let y = inside.y1; y < inside.y2; y++) {
    for (let x = inside.x1; x < inside.x2; x++) blend(raster, y * raster.width + x, colour, 1);
  }
};

const tintMask = (raster: Raster, region: Region, plan: RedactionPlan): void => {
  const { box, alpha } = rasteriseRegion(region, plan);
  const width = boxWidth(box);
  const colour = colourOf(region);
  for (let y = 0; y < boxHeight(box); y++) {
    const row = (box.y1 + y) * raster.width + box.x1;
    for (let x = 0; x < width; x++) {
      if (alpha[y * width + x] === 255) blend(raster, row + x, colour, TINT);
    }
  }
};

const drawBoxEdges = (raster: Raster, box: Box, thickness: number, colour: Rgb): void => {
  const { x1, y1, x2, y2 } = outerPixels(box);
  fillBox(raster, { x1, y1, x2, y2: y1 + thickness }, colour);
  fillBox(raster, { x1, y1: y2 - thickness, x2, y2 }, colour);
  fillBox(raster, { x1, y1, x2: x1 + thickness, y2 }, colour);
  fillBox(raster, { x1: x2 - thickness, y1, x2, y2 }, colour);
};

/** Writes class and score on a filled rectangle above the box, or inside it at the image's upper edge. */
const label = (raster: Raster, region: Region, scale: number): void => {
  const { objectClass, score, box } = region.detection;
  const text = `${objectClass} ${score.toFixed(2)}`;
  const height = (TEXT_HEIGHT + 2) * scale;
  const x = Math.max(0, Math.min(Math.floor(box.x1), raster.width - textWidth(text) * scale));
  const y = Math.max(0, Math.floor(box.y1) - height);
  fillBox(raster, { x1: x, y1: y, x2: x + (textWidth(text) + 1) * scale, y2: y + height }, colourOf(region));
  drawText(text, scale, (dx, dy) => {
    const [px, py] = [x + scale + dx, y + scale + dy];
    if (px < raster.width && py < raster.height) blend(raster, py * raster.width + px, [0, 0, 0], 1);
  });
};

/** Draws masks and boxes over the image, and with `score` labels. */
export const drawOverlay = (raster: Raster, plan: RedactionPlan): void => {
  const scale = Math.max(1, Math.round(Math.max(raster.width, raster.height) / 900));
  for (const region of plan.regions) tintMask(raster, region, plan);
  for (const region of plan.regions) {
    drawBoxEdges(raster, region.detection.box, scale + 1, colourOf(region));
    if (plan.score) label(raster, region, scale);
  }
};
