import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '#shared/domain/boxes';
import { rasteriseRegion } from '#shared/engine/redact/coverage';
import { fillShape } from '#shared/engine/masks/fill-shape';
import type { RedactionPlan, Region } from '#shared/domain/plan';
import type { LabelledImage } from './labelled-image';
import { COVERED } from './score';

/** Pixel counts of the labelled objects of one class in one image. */
export interface PixelOutcome {
  /** Counts for the detected objects and for the missed ones. */
  readonly found: PixelCount;
  readonly missed: PixelCount;
  /** For each object, detected or not: the share of its pixels that any region hides. */
  readonly hidden: readonly number[];
  /** For detected objects with a labelled outline: intersection over union with the object's own hidden region. */
  readonly ious: readonly number[];
  /** For the same objects: the share of their pixels that their own mask hides. */
  readonly recalls: readonly number[];
}

interface PixelCount {
  readonly pixels: number;
  /** Pixels that no region fully hides, whatever its class. */
  readonly uncovered: number;
}

type Truth = LabelledImage['truth'][number];

/** Pixels of a rectangle that belong to an object: 0 or 255, row-major over whole pixels. */
interface Area {
  readonly box: Box;
  readonly alpha: Uint8Array;
}

/** Even-odd rule at the centre of each pixel. @param polygon x and y in turn, in px */
const fillPolygon = (polygon: readonly number[], { box, alpha }: Area): void => {
  const width = boxWidth(box);
  for (let y = box.y1; y < box.y2; y++) {
    const crossings: number[] = [];
    for (let i = 0; i < polygon.length; i += 2) {
      const [ax, ay] = [polygon[i] as number, polygon[i + 1] as number];
      const j = (i + 2) % polygon.length;
      const [bx, by] = [polygon[j] as number, polygon[j + 1] as number];
      const middle = y + 0.5;
      if (ay <= middle !== by <= middle) crossings.push(ax + ((middle - ay) / (by - ay)) * (bx - ax));
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(Math.ceil((crossings[i] as number) - 0.5), box.x1);
      const to = Math.min(Math.ceil((crossings[i + 1] as number) - 0.5), box.x2);
      if (from < to) {
        alpha.fill(255, (y - box.y1) * width + from - box.x1, (y - box.y1) * width + to - box.x1);
      }
    }
  }
};

/** A face counts as the ellipse in its box, because the corners show the background; a plate counts as its box. */
export const areaOf = (truth: Truth, { width, height }: RedactionPlan): Area => {
  const box = outerPixels(clipBox(truth.box, width, height));
  const area = { box, alpha: new Uint8Array(boxWidth(box) * boxHeight(box)) };
  if (truth.outline) for (const polygon of truth.outline) fillPolygon(polygon, area);
  else {
    fillShape({ kind: truth.objectClass === 'face' ? 'ellipse' : 'box', box: truth.box }, box, area.alpha);
  }
  return area;
};

const NOTHING: PixelCount = { pixels: 0, uncovered: 0 };

const count = (area: Area, hidden: Uint8Array, width: number): PixelCount => {
  let pixels = 0;
  let uncovered = 0;
  const across = boxWidth(area.box);
  area.alpha.forEach((alpha, i) => {
    if (alpha !== 255) return;
    pixels++;
    const y = area.box.y1 + Math.floor(i / across);
    if (hidden[y * width + area.box.x1 + (i % across)] !== 255) uncovered++;
  });
  return { pixels, uncovered };
};

const add = (a: PixelCount, b: PixelCount): PixelCount => ({
  pixels: a.pixels + b.pixels,
  uncovered: a.uncovered + b.uncovered,
});

/** Draws regions over the whole image. Only fully hidden pixels count. */
export const drawHidden = (regions: readonly Region[], plan: RedactionPlan): Uint8Array => {
  const hidden = new Uint8Array(plan.width * plan.height);
  for (const region of regions) {
    const { box, alpha } = rasteriseRegion(region, plan);
    const across = boxWidth(box);
    alpha.forEach((value, i) => {
      if (value === 255) hidden[(box.y1 + Math.floor(i / across)) * plan.width + box.x1 + (i % across)] = 255;
    });
  }
  return hidden;
};

/** Number of hidden pixels of a drawing. */
export const hiddenPixels = (hidden: Uint8Array): number =>
  hidden.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0);

/**
 * Counts the pixels of a class that no region hides, and measures the fit of the masks.
 *
 * @param regionOf the region that was matched to each labelled object; undefined if it was missed
 */
export const countPixels = (
  truths: readonly Truth[],
  regionOf: readonly (Region | undefined)[],
  plan: RedactionPlan,
): PixelOutcome => {
  const everything = drawHidden(plan.regions, plan);
  let [found, missed] = [NOTHING, NOTHING];
  const hidden: number[] = [];
  const ious: number[] = [];
  const recalls: number[] = [];
  truths.forEach((truth, i) => {
    const area = areaOf(truth, plan);
    const counted = count(area, everything, plan.width);
    hidden.push(counted.pixels === 0 ? 0 : 1 - counted.uncovered / counted.pixels);
    const region = regionOf[i];
    if (!region) {
      missed = add(missed, counted);
      return;
    }
    found = add(found, counted);
    if (!truth.outline || counted.pixels === 0) return;
    const own = drawHidden([region], plan);
    const { pixels, uncovered } = count(area, own, plan.width);
    ious.push((pixels - uncovered) / (hiddenPixels(own) + uncovered));
    recalls.push((pixels - uncovered) / pixels);
  });
  return { found, missed, hidden, ious, recalls };
};

/** Figures of a class over many images; NaN if there is nothing to count. */
export interface PixelMeasure {
  /** Share of objects of which at least `COVERED` is hidden, by one or several regions including their margins. */
  readonly hidden: number;
  readonly uncoveredOfFound: number;
  readonly uncoveredOfMissed: number;
  readonly maskIou: number;
  readonly maskRecall: number;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
const shareOf = (counts: readonly PixelCount[]): number => {
  const { pixels, uncovered } = counts.reduce(add, NOTHING);
  return pixels === 0 ? Number.NaN : uncovered / pixels;
};

export const measurePixels = (outcomes: readonly PixelOutcome[]): PixelMeasure => ({
  hidden: mean(outcomes.flatMap(({ hidden }) => hidden.map((share) => (share >= COVERED ? 1 : 0)))),
  uncoveredOfFound: shareOf(outcomes.map(({ found }) => found)),
  uncoveredOfMissed: shareOf(outcomes.map(({ missed }) => missed)),
  maskIou: mean(outcomes.flatMap(({ ious }) => ious)),
  maskRecall: mean(outcomes.flatMap(({ recalls }) => recalls)),
});
