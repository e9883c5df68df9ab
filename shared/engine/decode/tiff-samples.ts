import { TIFF_PHOTOMETRIC, type TiffLayout } from '../formats/images/tiff-layout';
import type { DecodedPixels } from './decoded-pixels';

/** Where a segment lies in the image. */
export interface SegmentPlace {
  readonly left: number;
  readonly top: number;
  /** Of the segment, also those below the image. */
  readonly rows: number;
  /** The only sample that it has; undefined where it has all. */
  readonly plane: number | undefined;
}

/** Writes a segment's samples into the image. @param rowBytes of the segment */
export type SampleWriter = (segment: Uint8Array, rowBytes: number, place: SegmentPlace) => void;

/** Adds up differences of neighbours, in place. @see TIFF 6.0, section 14 */
const undoDifferences = (row: Uint8Array, samples: number, bits: number, littleEndian: boolean): void => {
  if (bits === 8) {
    for (let at = samples; at < row.length; at += 1) {
      row[at] = (row[at] as number) + (row[at - samples] as number);
    }
    return;
  }
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const bytes = 2 * samples;
  for (let at = bytes; at + 1 < row.length; at += 2) {
    view.setUint16(
      at,
      view.getUint16(at, littleEndian) + view.getUint16(at - bytes, littleEndian),
      littleEndian,
    );
  }
};

/** Reads the sample of a row at an index, 0..255; a palette's as it is. */
type SampleReader = (row: Uint8Array, index: number) => number;

const readerOf = ({ bitsPerSample, photometric }: TiffLayout, littleEndian: boolean): SampleReader => {
  if (bitsPerSample === 8) return (row, index) => row[index] as number;
  if (bitsPerSample === 16) {
    const [high, low] = littleEndian ? [1, 0] : [0, 1];
    return (row, index) =>
      Math.round((((row[2 * index + high] as number) << 8) | (row[2 * index + low] as number)) / 257);
  }
  const [perByte, max] = [8 / bitsPerSample, 2 ** bitsPerSample - 1];
  const scale = photometric === TIFF_PHOTOMETRIC.palette ? 1 : 255 / max;
  return (row, index) => {
    const shift = 8 - bitsPerSample * ((index % perByte) + 1);
    return (((row[Math.floor(index / perByte)] as number) >> shift) & max) * scale;
  };
};

/** Levels of each channel by index: 16 bits are 8. Some writers left the lower half empty. */
const paletteOf = ({ colorMap, bitsPerSample }: TiffLayout): Uint8Array[] => {
  const size = 2 ** bitsPerSample;
  const map = colorMap ?? [];
  const shift = map.some((level) => level > 255) ? 8 : 0;
  return [0, 1, 2].map((channel) =>
    Uint8Array.from({ length: size }, (_, index) => (map[channel * size + index] ?? 0) >> shift),
  );
};

/** Puts one sample of one pixel where it belongs. @param at the pixel's first byte */
type Put = (sample: number, level: number, at: number) => void;

const putterOf = (layout: TiffLayout, { data, alpha }: DecodedPixels): Put => {
  const { photometric, colourSamples } = layout;
  const isAlpha = (sample: number): boolean => sample === colourSamples && layout.alpha !== undefined;
  if (photometric === TIFF_PHOTOMETRIC.rgb || photometric === TIFF_PHOTOMETRIC.cmyk) {
    return (sample, level, at) => {
      if (sample < colourSamples) data[at + sample] = level;
      else if (isAlpha(sample)) {
        if (alpha) alpha[at / 4] = level;
        else data[at + 3] = level;
      }
    };
  }
  const palette = photometric === TIFF_PHOTOMETRIC.palette ? paletteOf(layout) : undefined;
  const isInverted = photometric === TIFF_PHOTOMETRIC.whiteIsZero;
  return (sample, level, at) => {
    if (isAlpha(sample)) data[at + 3] = level;
    if (sample > 0) return;
    for (let channel = 0; channel < 3; channel += 1) {
      data[at + channel] = palette ? (palette[channel]?.[level] ?? 0) : isInverted ? 255 - level : level;
    }
  };
};

/** Makes the function that writes unpacked segments of this layout. */
export const createSampleWriter = (
  layout: TiffLayout,
  littleEndian: boolean,
  pixels: DecodedPixels,
): SampleWriter => {
  const { width, height, segmentWidth, samplesPerPixel, bitsPerSample, isDifferenced } = layout;
  const read = readerOf(layout, littleEndian);
  const put = putterOf(layout, pixels);
  return (segment, rowBytes, { left, top, rows, plane }) => {
    const samples = plane === undefined ? samplesPerPixel : 1;
    const columns = Math.min(segmentWidth, width - left);
    const firstSample = plane ?? 0;
    for (let y = 0; y < Math.min(rows, height - top); y += 1) {
      const row = segment.subarray(y * rowBytes, (y + 1) * rowBytes);
      if (isDifferenced) undoDifferences(row, samples, bitsPerSample, littleEndian);
      let at = ((top + y) * width + left) * 4;
      for (let x = 0, index = 0; x < columns; x += 1, at += 4) {
        for (let sample = 0; sample < samples; sample += 1, index += 1) {
          put(firstSample + sample, read(row, index), at);
        }
      }
    }
  };
};
