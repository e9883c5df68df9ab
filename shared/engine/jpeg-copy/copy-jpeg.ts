import type { ImageHeader } from '../../domain/image-header';
import { wordsOf, type Raster } from '../../domain/raster';
import { BLOCK_SIDE, NotCopyable } from './jpeg-blocks';
import { readBlocks } from './read-blocks';
import { redrawBlocks } from './redraw-blocks';
import type { TouchedCells } from './touched-cells';
import { writeBlocks } from './write-blocks';

/** Cells around a touched one whose colours its chroma may change: decoders smooth chroma over one sample, 4 pixels at most. */
const SMOOTHED_CELLS = 4;

/** Whether all cells that are not near a touched one have the same colours. */
const areEqualOutside = (redacted: Raster, result: Raster, touched: TouchedCells): boolean => {
  const { width, height } = redacted;
  if (result.width !== width || result.height !== height) return false;
  const [before, after] = [wordsOf(redacted), wordsOf(result)];
  const span = 2 * SMOOTHED_CELLS + 1;
  for (let top = 0; top < height; top += BLOCK_SIDE) {
    for (let left = 0; left < width; left += BLOCK_SIDE) {
      const [column, row] = [left / BLOCK_SIDE - SMOOTHED_CELLS, top / BLOCK_SIDE - SMOOTHED_CELLS];
      if (touched.isTouched(column, row, span, span)) continue;
      for (let y = top; y < Math.min(top + BLOCK_SIDE, height); y++) {
        for (let at = y * width + left; at < y * width + Math.min(left + BLOCK_SIDE, width); at++) {
          if (before[at] !== after[at]) return false;
        }
      }
    }
  }
  return true;
};

/** Whether the colours of a source are those of its samples: upright, and sRGB. */
const isPlain = ({ format, orientation, metadata }: ImageHeader): boolean =>
  format === 'jpeg' && orientation === 1 && !metadata.includes('colour-profile');

/** A redacted JPEG file. */
export interface RedactedJpeg {
  /** The source. */
  readonly bytes: Uint8Array;
  readonly header: ImageHeader;
  readonly raster: Raster;
  readonly touched: TouchedCells;
}

/**
 * Writes a redacted JPEG file whose blocks are the source's own wherever redaction touched nothing, so that the rest of
 * the image loses nothing.
 *
 * The result is decoded again and compared: where a decoder reads the source differently from this folder, the image
 * must not show what nobody searched.
 *
 * @param decode of the host
 * @returns without metadata; undefined where the source cannot be copied, and is to be encoded as any other
 */
export const copyJpeg = async (
  { bytes, header, raster, touched }: RedactedJpeg,
  decode: (bytes: Uint8Array, header: ImageHeader) => Promise<Raster>,
): Promise<Uint8Array | undefined> => {
  if (!isPlain(header)) return undefined;
  try {
    const blocks = readBlocks(bytes);
    redrawBlocks(blocks, raster, touched);
    const result = writeBlocks(blocks);
    const { width, height } = raster;
    const shown = await decode(result, {
      format: 'jpeg',
      width,
      height,
      orientation: 1,
      hasAlpha: false,
      metadata: [],
    });
    return areEqualOutside(raster, shown, touched) ? result : undefined;
  } catch (error) {
    if (error instanceof NotCopyable) return undefined;
    throw error;
  }
};
