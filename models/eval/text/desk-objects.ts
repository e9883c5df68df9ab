import sharp from 'sharp';
import { RGBA, type Raster } from '#shared/domain/raster';
import type { Random } from '../video/random';
import { drawText, type LabelledText, type TextLine } from './draw-text';
import { fill, FONTS, makeText } from './text-content';

/** A document or screen to draw: size in px, fonts, colours. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly ground: string;
  readonly fonts?: readonly string[];
  /** Font sizes of its lines in px, from the top; the last one repeats to the bottom. */
  readonly sizesPx: readonly number[];
  /** Further shapes, as SVG. */
  readonly decoration?: string;
  /** Distance of lines, in font sizes. */
  readonly pitch?: number;
}

/** More lines than a drawing may have would only be small ones at the bottom. */
const MAX_LINES = 28;
const MARGIN = 0.07;
/** Mean width of a character, in font sizes. */
const CHARACTER = 0.6;

/** Lines of words from the top to the bottom, of different lengths, left-aligned as far as their lengths are known. */
export const drawSheet = (random: Random, sheet: Sheet): Promise<LabelledText> => {
  const { width, height, text: colour, ground, fonts = FONTS, sizesPx, decoration = '', pitch = 1.9 } = sheet;
  const font = random.pick(fonts);
  const lines: TextLine[] = [];
  let y = MARGIN * height;
  for (let i = 0; lines.length < MAX_LINES; i++) {
    const sizePx = sizesPx[Math.min(i, sizesPx.length - 1)] as number;
    y += (pitch / 2) * sizePx;
    if (y > height * (1 - MARGIN)) break;
    const room = (1 - 3 * MARGIN) * width;
    const characters = Math.max(3, (random.between(0.45, 0.9) * room) / (CHARACTER * sizePx));
    const text = makeText(random, characters).slice(0, Math.floor(room / (CHARACTER * sizePx)));
    const x = MARGIN * width + (CHARACTER * sizePx * text.length) / 2 + 4;
    lines.push({ text, font, sizePx, colour, x, y, degrees: 0 });
    y += (pitch / 2) * sizePx;
  }
  return drawText({ width, height, background: fill(width, height, ground) + decoration, lines });
};

/** Rows of a table with numbers, and grid lines. */
export const drawTable = (
  random: Random,
  width: number,
  height: number,
  sizePx: number,
): Promise<LabelledText> => {
  const [rows, columns] = [7, 4];
  const lines: TextLine[] = [];
  let grid = '';
  for (let row = 0; row < rows; row++) {
    const y = ((row + 0.5) * height) / rows;
    grid += `<path d="M0 ${(row * height) / rows}H${width}" stroke="#b9c0c8"/>`;
    for (let column = 0; column < columns; column++) {
      const text =
        column === 0
          ? makeText(random, 8)
          : `${Math.floor(random.between(100, 99_999))}.${Math.floor(random.between(10, 99))}`;
      const x = ((column + 0.5) * width) / columns;
      lines.push({ text, font: 'DejaVu Sans', sizePx, colour: '#20242a', x, y, degrees: 0 });
    }
  }
  const upright = Array.from(
    { length: columns },
    (_, i) => `<path d="M${(i * width) / columns} 0V${height}" stroke="#b9c0c8"/>`,
  );
  return drawText({
    width,
    height,
    background: fill(width, height, '#f4f6f8') + grid + upright.join(''),
    lines,
  });
};

const shade = ({ width, height, data }: Raster, at: (x: number, y: number) => number): Raster => {
  const out = Uint8Array.from(data);
  for (let i = 0; i < out.length; i += RGBA) {
    const pixel = i / RGBA;
    const factor = at(pixel % width, Math.floor(pixel / width));
    for (let channel = 0; channel < 3; channel++) {
      out[i + channel] = Math.max(0, Math.min(255, (out[i + channel] as number) * factor));
    }
  }
  return { width, height, data: out };
};

/** The pattern that the pixels of a display and of a camera make together, with lines of different brightness. */
export const addMoire = (drawn: LabelledText): LabelledText => ({
  ...drawn,
  raster: shade(
    drawn.raster,
    (x, y) =>
      0.9 + 0.08 * Math.sin(x * 0.9 + y * 0.13) * Math.sin(y * 0.83) + 0.07 * Math.sin(x * 0.031 + y * 0.05),
  ),
});

/** A drawing that is out of focus. @param deviation of the Gaussian, in px */
export const defocus = async (drawn: LabelledText, deviation: number): Promise<LabelledText> => {
  const { width, height, data } = drawn.raster;
  const blurred = await sharp(data, { raw: { width, height, channels: RGBA } })
    .blur(deviation)
    .raw()
    .toBuffer();
  return { ...drawn, raster: { width, height, data: new Uint8Array(blurred) } };
};

/** Light from the upper left, and darker corners. */
export const addLight = (raster: Raster): Raster => {
  const { width, height } = raster;
  return shade(raster, (x, y) => {
    const [right, down] = [x / width - 0.35, y / height - 0.35];
    return 1.08 - 0.55 * (right ** 2 + down ** 2);
  });
};
