import type { PngPixels } from '../../ports/codec';
import type { MaskKind } from '../../ports/engine';
import { coverArea, rasteriseRegion, forEachCoveredSpan, type Coverage } from './coverage';
import { codesOf } from '../../catalogue/classes';
import { numberedAreas, type RedactionPlan, type ReportedDetection } from '../../domain/plan';
import type { Size } from '../../domain/raster';

/** A region, or an area that is always hidden, as masks show it. */
export interface MaskedRegion {
  readonly id: number;
  readonly detection: Pick<ReportedDetection, 'objectClass'>;
}

/** RGB of one object in the instance mask: R 0, G its number, B its class. */
export const instanceColor = ({ id, detection }: MaskedRegion): readonly [number, number, number] => [
  0,
  1 + (id % 255),
  codesOf(detection.objectClass).maskBit,
];

/** A mask that regions are drawn into one after another. */
export interface MaskCanvas {
  readonly pixels: PngPixels;
  draw(region: MaskedRegion, coverage: Coverage): void;
}

const createBinaryMask = ({ width, height }: Size): MaskCanvas => {
  const data = new Uint8Array(width * height);
  return {
    pixels: { width, height, channels: 1, data },
    draw: (_region, coverage) => {
      forEachCoveredSpan(coverage, (y, from, to) => {
        data.fill(255, y * width + from, y * width + to);
      });
    },
  };
};

const createInstanceMask = ({ width, height }: Size): MaskCanvas => {
  const data = new Uint8Array(width * height * 3);
  return {
    pixels: { width, height, channels: 3, data },
    draw: (region, coverage) => {
      const [, green, blue] = instanceColor(region);
      forEachCoveredSpan(coverage, (y, from, to) => {
        const end = 3 * (y * width + to);
        for (let at = 3 * (y * width + from); at < end; at += 3) {
          data[at + 1] = (data[at + 1] as number) | green;
          data[at + 2] = (data[at + 2] as number) | blue;
        }
      });
    },
  };
};

/**
 * Creates an empty mask for a plan's regions. Pixels that redaction changes become white, or the bitwise OR of their
 * objects' colours; with `detect`, the pixels of the shapes.
 */
export const createMask = (kind: MaskKind, size: Size): MaskCanvas =>
  kind === 'binary' ? createBinaryMask(size) : createInstanceMask(size);

/** Scales by nearest neighbour: values of a mask are identifiers, which must not be averaged. */
const scaleDown = (mask: PngPixels, percent: number): PngPixels => {
  if (percent === 100) return mask;
  const width = Math.max(1, Math.round((mask.width * percent) / 100));
  const height = Math.max(1, Math.round((mask.height * percent) / 100));
  const { channels } = mask;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const fromRow = Math.min(mask.height - 1, Math.floor(((y + 0.5) * mask.height) / height)) * mask.width;
    for (let x = 0; x < width; x++) {
      const from =
        (fromRow + Math.min(mask.width - 1, Math.floor(((x + 0.5) * mask.width) / width))) * channels;
      for (let c = 0; c < channels; c++) data[(y * width + x) * channels + c] = mask.data[from + c] as number;
    }
  }
  return { width, height, channels, data };
};

/** @param scalePercent above 0 to 100 */
export const renderMask = (plan: RedactionPlan, kind: MaskKind, scalePercent: number): PngPixels => {
  const mask = createMask(kind, plan);
  for (const region of plan.regions) {
    if (region.shown === undefined) mask.draw(region, rasteriseRegion(region, plan));
  }
  for (const area of numberedAreas(plan)) mask.draw(area, coverArea(area, plan));
  return scaleDown(mask.pixels, scalePercent);
};
