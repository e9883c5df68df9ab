import { RGBA, type Raster } from '../../domain/raster';
import { forwardDct } from './forward-dct';
import {
  BLOCK_LENGTH,
  BLOCK_SIDE,
  largestAcross,
  largestDown,
  type JpegBlocks,
  type JpegComponent,
} from './jpeg-blocks';
import type { TouchedCells } from './touched-cells';

/** Weights of red, green and blue in Y, Cb and Cr, and what is added to reach −128..127. @see ITU-T T.871, 7 */
const WEIGHTS = [
  [0.299, 0.587, 0.114, -128],
  [-0.168735892, -0.331264108, 0.5, 0],
  [0.5, -0.418687589, -0.081312411, 0],
] as const;

/** How many pixels one sample of a component stands for. */
interface Scale {
  readonly across: number;
  readonly down: number;
}

/** The samples of a block, each the mean of its pixels. Pixels behind the edge are those at the edge. */
const sampleBlock = (
  { data, width, height }: Raster,
  [red, green, blue, shift]: readonly [number, number, number, number],
  { left, top, across, down }: Scale & { readonly left: number; readonly top: number },
  samples: Float64Array,
): void => {
  for (let index = 0; index < BLOCK_LENGTH; index++) {
    const x = left + (index % BLOCK_SIDE) * across;
    const y = top + Math.floor(index / BLOCK_SIDE) * down;
    let sum = 0;
    for (let dy = 0; dy < down; dy++) {
      const row = Math.min(y + dy, height - 1) * width;
      for (let dx = 0; dx < across; dx++) {
        const at = (row + Math.min(x + dx, width - 1)) * RGBA;
        sum +=
          red * (data[at] as number) + green * (data[at + 1] as number) + blue * (data[at + 2] as number);
      }
    }
    samples[index] = sum / (across * down) + shift;
  }
};

/** Fills blocks that nobody sees with the one before: what a cropped file keeps there is behind its edge. */
const blankInvisible = ({ coefficients, columns, rows, stride }: JpegComponent): void => {
  const blocks = coefficients.length / BLOCK_LENGTH;
  for (let block = 0; block < blocks; block++) {
    if (block % stride < columns && Math.floor(block / stride) < rows) continue;
    const at = block * BLOCK_LENGTH;
    coefficients.fill(0, at, at + BLOCK_LENGTH);
    if (block > 0) coefficients[at] = coefficients[at - BLOCK_LENGTH] as number;
  }
};

/**
 * Computes the blocks that redaction touched from the redacted image, with the quantisation of the source. All others
 * stay as they are.
 *
 * @param blocks of the source; changed in place
 */
export const redrawBlocks = (blocks: JpegBlocks, raster: Raster, touched: TouchedCells): void => {
  const [across, down] = [largestAcross(blocks.components), largestDown(blocks.components)];
  const samples = new Float64Array(BLOCK_LENGTH);
  blocks.components.forEach((component, index) => {
    const { columns, rows, stride, coefficients, table } = component;
    const scale = { across: across / component.across, down: down / component.down };
    const steps = blocks.tables.get(table) as Uint8Array;
    const weights = WEIGHTS[index] as (typeof WEIGHTS)[number];
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        if (!touched.isTouched(x * scale.across, y * scale.down, scale.across, scale.down)) continue;
        const place = { left: x * scale.across * BLOCK_SIDE, top: y * scale.down * BLOCK_SIDE };
        sampleBlock(raster, weights, { ...scale, ...place }, samples);
        const at = (y * stride + x) * BLOCK_LENGTH;
        forwardDct(samples, steps, coefficients.subarray(at, at + BLOCK_LENGTH));
      }
    }
    blankInvisible(component);
  });
};
