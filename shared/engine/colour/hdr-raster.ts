import { RGBA, type Raster } from '../../domain/raster';
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
