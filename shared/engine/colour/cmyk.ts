import type { ColourTransform } from './colour-transform';

/**
 * CMYK without a profile, as browsers show it: each ink takes its share of the light, and black takes of all.
 *
 * Reads four bytes, 255 for full ink, and makes the pixel opaque. Nobody can say which inks were meant; all readers
 * have to guess, and both hosts make the same guess.
 */
export const plainCmyk: ColourTransform = (pixels) => {
  for (let at = 0; at < pixels.length; at += 4) {
    const light = 255 - (pixels[at + 3] as number);
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = Math.round(((255 - (pixels[channel] as number)) * light) / 255);
    }
    pixels[at + 3] = 255;
  }
};
