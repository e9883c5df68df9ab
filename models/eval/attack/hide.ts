import { boxHeight, boxWidth, clipBox, type Box } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { RGBA, type Raster } from '#shared/domain/raster';
import { shapeBounds } from '#shared/engine/masks/fill-shape';
import { rasteriseRegion } from '#shared/engine/redact/coverage';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { HidingMethod } from '#shared/catalogue/methods';
import { defaultImageOptions } from '#shared/domain/options';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { redact } from '#shared/engine/redact/redact';
import type { Random } from '../video/random';

/** The visible pixels of a hidden object; pixels that are not fully hidden are grey. */
export interface HiddenObject {
  readonly raster: Raster;
  /** Around the hidden region: an attacker does not know the box of the object in it. */
  readonly box: Box;
  /** Side of the averaged cells, px. */
  readonly cellPx: number;
}

/** Pixels that are not fully hidden become grey, because the attack concerns the object and not its surroundings. */
const GREY = 127;

const copyOf = ({ width, height, data }: Raster): Raster => ({ width, height, data: Uint8Array.from(data) });

/** Hides one object with the defaults of the product. */
export const hide = (
  raster: Raster,
  objectClass: ObjectClass,
  box: Box,
  method: HidingMethod,
): HiddenObject => {
  const detection: Detection = { objectClass, score: 1, box };
  const plan = planRedaction(
    raster,
    [detection],
    new Map(),
    defaultImageOptions({ method, classes: [objectClass] }),
  );
  const hidden = copyOf(raster);
  redact(hidden, plan);
  const [region] = plan.regions;
  if (!region) throw new Error('nothing was hidden');
  const coverage = rasteriseRegion(region, plan);
  const grey = copyOf(hidden);
  grey.data.fill(GREY);
  const across = boxWidth(coverage.box);
  coverage.alpha.forEach((alpha, i) => {
    if (alpha !== 255) return;
    const at =
      RGBA * ((coverage.box.y1 + Math.floor(i / across)) * raster.width + coverage.box.x1 + (i % across));
    grey.data.set(hidden.data.subarray(at, at + RGBA), at);
  });
  const seen = clipBox(shapeBounds(region.shape), raster.width, raster.height);
  return { raster: grey, box: seen, cellPx: region.cellPx };
};

/** Movement of a detector's box from frame to frame, as a share of its sides. */
const JITTER = 0.06;

/**
 * Averages many frames of an unmoving object whose box, and with it the grid of cells, moves slightly: cell borders
 * differ between frames, so the mean contains more detail.
 */
export const averageFrames = (
  raster: Raster,
  objectClass: ObjectClass,
  box: Box,
  {
    method,
    frames,
    random,
  }: { readonly method: HidingMethod; readonly frames: number; readonly random: Random },
): HiddenObject => {
  const sum = new Float32Array(raster.data.length);
  let cellPx = 0;
  const off = (side: number): number => random.between(-JITTER, JITTER) * side;
  for (let frame = 0; frame < frames; frame++) {
    const [w, h] = [boxWidth(box), boxHeight(box)];
    const moved = { x1: box.x1 + off(w), y1: box.y1 + off(h), x2: box.x2 + off(w), y2: box.y2 + off(h) };
    const hidden = hide(raster, objectClass, moved, method);
    cellPx += hidden.cellPx / frames;
    hidden.raster.data.forEach((value, i) => (sum[i] = (sum[i] as number) + value / frames));
  }
  const data = Uint8Array.from(sum, Math.round);
  const { box: seen } = hide(raster, objectClass, box, method);
  return { raster: { width: raster.width, height: raster.height, data }, box: seen, cellPx };
};
