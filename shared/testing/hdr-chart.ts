import type { HdrTransfer } from '../domain/hdr';
import type { Raster } from '../domain/raster';
import { PRIMARIES } from '../engine/colour/code-points';
import { createToneMap, type ToneOutput } from '../engine/colour/tone-map';
import type { Vector3 } from '../engine/colour/srgb';
import signals from './hdr-files/chart.json' with { type: 'json' };
import { pixelAt } from './rasters';

const COLUMNS = 8;
const PATCH_PX = 16;
/** Size of the chart that the files of `hdr-files/` show. */
export const HDR_SIZE = { width: COLUMNS * PATCH_PX, height: (signals.length / COLUMNS) * PATCH_PX } as const;

/**
 * Largest difference of a channel between the middle of each patch and the exact formulas, in levels of 8 bits.
 *
 * @param isHidden which pixels of a result are hidden: their patches are left out
 */
export const largestToneError = (
  raster: Raster,
  transfer: HdrTransfer,
  use: ToneOutput = 'video',
  isHidden: (x: number, y: number) => boolean = () => false,
): number => {
  const map = createToneMap(transfer, PRIMARIES[9]!, use);
  const errors = signals.flatMap((signal, patch) => {
    const middle = [patch % COLUMNS, Math.floor(patch / COLUMNS)].map((at) => (at + 0.5) * PATCH_PX);
    const [x, y] = middle as [number, number];
    if (isHidden(x, y)) return [];
    const seen = pixelAt(raster, x, y);
    return map(signal as unknown as Vector3).map((value, channel) => Math.abs(255 * value - seen[channel]!));
  });
  return Math.max(...errors);
};
