import { composeOntoWhite, type ColourTransform } from '../colour/colour-transform';
import type { ColourSpace } from '../colour/icc-profile';
import type { Raster } from '../../domain/raster';

/**
 * CMYK without a profile, as browsers show it: each ink takes its share of the light, and black takes of all.
 *
 * Reads four bytes, 255 for full ink, and makes the pixel opaque. Nobody can say which inks were meant; all readers
 * have to guess, and both hosts make the same guess.
 */
const plainCmyk: ColourTransform = (pixels) => {
  for (let at = 0; at < pixels.length; at += 4) {
    const light = 255 - (pixels[at + 3] as number);
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = Math.round(((255 - (pixels[channel] as number)) * light) / 255);
    }
    pixels[at + 3] = 255;
  }
};

const PIXEL_BYTES = 4;

/** Pixels as a file stores them: four bytes each, before anything is done about their colours. */
export interface DecodedPixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and transparency; grey three times and transparency; or cyan, magenta, yellow and black. */
  readonly data: Uint8Array;
  readonly space: ColourSpace;
  /** To sRGB; undefined where the colours are sRGB's, or described by nothing. */
  readonly transform: ColourTransform | undefined;
  /** Transparency of CMYK pixels, which have no byte left for it. */
  readonly alpha?: Uint8Array | undefined;
}

/** Colours that were multiplied by their transparency, as they were before. */
export const divideByAlpha = (data: Uint8Array): void => {
  for (let at = 0; at < data.length; at += PIXEL_BYTES) {
    const alpha = data[at + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      data[channel] = Math.min(255, Math.round(((data[channel] as number) * 255) / alpha));
    }
  }
};

/** Converts pixels to opaque sRGB, in place. */
export const toRaster = (pixels: DecodedPixels): Raster => {
  const { width, height, data, space, alpha } = pixels;
  const transform = pixels.transform ?? (space === 'cmyk' ? plainCmyk : undefined);
  transform?.(data);
  if (alpha) {
    for (let pixel = 0; pixel < alpha.length; pixel += 1) {
      data[PIXEL_BYTES * pixel + 3] = alpha[pixel] as number;
    }
  }
  composeOntoWhite(data);
  return { width, height, data };
};
