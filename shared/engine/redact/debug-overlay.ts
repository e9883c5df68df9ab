import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '../../domain/boxes';
import { coverRegion } from './coverage';
import { drawText, TEXT_HEIGHT, textWidth } from './debug-font';
import { CLASS_RULES } from '../../catalogue/class-rules';
import type { RedactionPlan, Region } from '../../domain/plan';
import { RGBA, type Raster } from '../../domain/raster';

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

const fillBox = (raster: Raster, box: Box, colour: Rgb): void => {
  const inside = outerPixels(clipBox(box, raster.width, raster.height));
  for (let y = inside.y1; y < inside.y2; y++) {
    for (let x = inside.x1; x < inside.x2; x++) blend(raster, y * raster.width + x, colour, 1);
  }
};

const tintMask = (raster: Raster, region: Region, plan: RedactionPlan): void => {
  const { box, alpha } = coverRegion(region, plan);
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

/** Draws masks and boxes over the image, and with `score` labels (spec: `debug`, `score`). */
export const drawOverlay = (raster: Raster, plan: RedactionPlan): void => {
  const scale = Math.max(1, Math.round(Math.max(raster.width, raster.height) / 900));
  for (const region of plan.regions) tintMask(raster, region, plan);
  for (const region of plan.regions) {
    drawBoxEdges(raster, region.detection.box, scale + 1, colourOf(region));
    if (plan.score) label(raster, region, scale);
  }
};
