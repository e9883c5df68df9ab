import { RGBA, type Raster } from '#shared/domain/raster';
import type { Random } from '../video/random';

export const WORDS =
  'river station garden window market street bridge number ticket open closed office school train coffee water please private parking keep exit platform north south hotel bakery museum invoice total amount customer account password meeting Monday August patient address contract signed balance order'.split(
    ' ',
  );
export const FONTS = [
  'DejaVu Sans',
  'DejaVu Serif',
  'DejaVu Sans Mono',
  'Nimbus Sans',
  'Nimbus Roman',
  'Nimbus Sans Narrow',
  'URW Gothic',
  'URW Bookman',
  'Noto Sans Mono',
] as const;

/** Words, codes and numbers, of about this many characters. */
export const makeText = (random: Random, characters: number): string => {
  const parts: string[] = [];
  let length = 0;
  while (length < characters) {
    const kind = random.between(0, 1);
    const code = `${random.pick(['A', 'K', 'RX', 'No'])}${Math.floor(random.between(100, 99_999))}`;
    const word = random.pick(WORDS);
    const part = kind < 0.2 ? code : kind < 0.5 ? word[0]!.toUpperCase() + word.slice(1) : word;
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(' ');
};

/** A plain background, as SVG. */
export const fill = (width: number, height: number, colour: string): string =>
  `<rect width="${width}" height="${height}" fill="${colour}"/>`;

/** Adds the same noise to all channels, as of a camera. @param deviation maximum, 0..255 */
export const addNoise = (raster: Raster, random: Random, deviation: number): Raster => {
  const data = Uint8Array.from(raster.data);
  for (let at = 0; at < data.length; at += RGBA) {
    const noise = random.between(-deviation, deviation);
    for (let channel = 0; channel < 3; channel++) {
      data[at + channel] = Math.max(0, Math.min(255, (data[at + channel] as number) + noise));
    }
  }
  return { ...raster, data };
};
