import { OPAQUE, RGBA, type Raster } from '../../domain/raster';
import { yuvTables, type YuvCoding, type YuvImage } from '../pixels/yuv';
import { FULL_SIGNAL, lookUpPixel, type ToneTable } from './tone-table';

/**
 * Converts YUV in high dynamic range to RGBA in standard range. Each chroma sample applies to all its pixels, as in
 * standard range.
 *
 * @param bits of each sample
 * @param memory `width * height * 4` bytes with any content, which become the raster's
 */
export const rasterOfHdr = (
  { width, height, y, u, v, strideY, strideUv, shiftX, shiftY }: YuvImage<Uint8Array | Uint16Array>,
  { coding, bits, tones }: { readonly coding: YuvCoding; readonly bits: number; readonly tones: ToneTable },
  memory = new ArrayBuffer(width * height * RGBA),
): Raster => {
  const white = FULL_SIGNAL / tones.peakSignal;
  const { luma, redOfV, greenOfU, greenOfV, blueOfU } = yuvTables(coding, white, bits);
  const words = new Int32Array(memory);
  for (let row = 0, to = 0; row < height; row++) {
    const lumaRow = row * strideY;
    const chromaRow = (row >> shiftY) * strideUv;
    for (let column = 0; column < width; column++) {
      const light = luma[y[lumaRow + column] as number] as number;
      const at = chromaRow + (column >> shiftX);
      const codeU = u[at] as number;
      const codeV = v[at] as number;
      words[to++] = lookUpPixel(
        tones,
        light + (redOfV[codeV] as number),
        light + (greenOfU[codeU] as number) + (greenOfV[codeV] as number),
        light + (blueOfU[codeU] as number),
      );
    }
  }
  return { width, height, data: new Uint8Array(memory) };
};

/**
 * Maps red, green, blue and transparency in high dynamic range to standard range.
 *
 * @param samples four of each pixel
 * @param white the number of the largest red, green, blue and transparency
 * @returns four bytes of each pixel
 */
export const bytesOfHdr = (samples: Uint16Array, white: number, tones: ToneTable): Uint8Array => {
  const scale = FULL_SIGNAL / tones.peakSignal / white;
  const words = new Int32Array(samples.length / RGBA);
  for (let pixel = 0, at = 0; pixel < words.length; pixel++, at += RGBA) {
    const colour = lookUpPixel(
      tones,
      Math.round((samples[at] as number) * scale),
      Math.round((samples[at + 1] as number) * scale),
      Math.round((samples[at + 2] as number) * scale),
    );
    const alpha = Math.min(255, Math.round(((samples[at + 3] as number) * 255) / white));
    words[pixel] = (colour & ~OPAQUE) | (alpha << 24);
  }
  return new Uint8Array(words.buffer);
};
