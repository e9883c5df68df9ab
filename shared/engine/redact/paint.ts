import { boxWidth } from '../../domain/boxes';
import { byteRow, endOfRun } from '../pixels/byte-runs';
import { forEachCoveredSpan, type Coverage } from './coverage';
import { editWords, OPAQUE, type Raster } from '../../domain/raster';

/**
 * Writes the new colours of one row's columns [from, to) into `colours`, one word for each column.
 *
 * Row and columns count from the corner of the covered rectangle. Rows are requested from top to bottom, some several
 * times, some never; `colours` keeps its content between calls.
 */
export type SpanPainter = (y: number, from: number, to: number, colours: Int32Array) => void;

/** Every second byte of a word: red and blue of a pixel, each with room for a multiplication by 256. */
const LANES = 0xff00ff;
const GREEN = 0xff00;
/** Half of 256 in each lane, for rounding. */
const HALVES = 0x800080;
const HALF_GREEN = 0x8000;

/** Blends two words; the share of the new one is `cover` / 255. */
const mix = (old: number, fresh: number, cover: number): number => {
  const ofFresh = cover + (cover >>> 7); // of 256
  const ofOld = 256 - ofFresh;
  const redBlue = (((Math.imul(old & LANES, ofOld) + Math.imul(fresh & LANES, ofFresh)) | 0) + HALVES) | 0;
  const green = (Math.imul(old & GREEN, ofOld) + Math.imul(fresh & GREEN, ofFresh) + HALF_GREEN) | 0;
  return OPAQUE | ((redBlue >>> 8) & LANES) | ((green >>> 8) & GREEN);
};

/** Length of a run from which a copying call is faster than a loop. */
const LONG_RUN_PX = 32;

/** Blends new colours over the image by `coverage`; fully hidden pixels contain nothing of the old colours. */
export const paint = (raster: Raster, coverage: Coverage, paintSpan: SpanPainter): void => {
  const { box, alpha } = coverage;
  const width = boxWidth(box);
  const covers = byteRow(alpha);
  const colours = new Int32Array(width);
  editWords(raster, (words) => {
    forEachCoveredSpan(coverage, (imageY, imageFrom, imageTo) => {
      const y = imageY - box.y1;
      const from = imageFrom - box.x1;
      const to = imageTo - box.x1;
      paintSpan(y, from, to, colours);
      const row = y * width;
      const imageRow = imageY * raster.width + box.x1;
      for (let x = from; x < to;) {
        const cover = alpha[row + x] as number;
        if (cover !== 255) {
          words[imageRow + x] = mix(words[imageRow + x] as number, colours[x] as number, cover);
          x++;
          continue;
        }
        const end = endOfRun(covers, row + x, row + to) - row;
        if (end - x >= LONG_RUN_PX) words.set(colours.subarray(x, end), imageRow + x);
        else for (let i = x; i < end; i++) words[imageRow + i] = colours[i] as number;
        x = end;
      }
    });
  });
};
