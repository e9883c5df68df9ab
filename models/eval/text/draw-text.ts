import sharp from 'sharp';
import type { Corner, Corners } from '#shared/domain/detection';
import { RGBA, type Raster } from '#shared/domain/raster';

/** A line of text to draw: upright at the origin, then turned and moved. */
export interface TextLine {
  readonly text: string;
  readonly font: string;
  readonly sizePx: number;
  readonly colour: string;
  /** Centre of the line, in px. */
  readonly x: number;
  readonly y: number;
  /** Clockwise, in degrees. */
  readonly degrees: number;
  /** Whether the letters are upright, one below the other. */
  readonly isStacked?: boolean;
}

/** A drawing: its background as SVG, and its lines. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly lines: readonly TextLine[];
}

/** A line in an image. */
export interface LabelledLine extends TextLine {
  /** Around its ink, at its own angle, in px. */
  readonly corners: Corners;
  /** Indices of the pixels with ink, row by row. */
  readonly ink: readonly number[];
}

/** An image with known text. */
export interface LabelledText {
  readonly raster: Raster;
  readonly lines: readonly LabelledLine[];
}

/** An image, and the group under which it is listed. */
export interface TextImage extends LabelledText {
  readonly group: string;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Distance of stacked letters, in font sizes. */
const STACK_STEP = 1.1;

const lineSvg = ({ text, font, sizePx, x, y, degrees, isStacked }: TextLine, colour: string): string => {
  const style = `font-family="${font}" font-size="${sizePx}" fill="${colour}" text-anchor="middle"`;
  if (!isStacked) {
    return `<text ${style} transform="translate(${x} ${y}) rotate(${degrees})" y="${0.35 * sizePx}">${escape(text)}</text>`;
  }
  const letters = [...text].map((letter, i) => {
    const down = (i - (text.length - 1) / 2) * STACK_STEP * sizePx + 0.35 * sizePx;
    return `<text ${style} transform="translate(${x} ${y}) rotate(${degrees})" y="${down}">${escape(letter)}</text>`;
  });
  return letters.join('');
};

const toRaster = async ({ width, height }: Drawing, content: string): Promise<Raster> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  const { data } = await sharp(Buffer.from(svg))
    .flatten({ background: '#000' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
};

/** Distance of the red levels of two lines, so that mixed pixels at their edges name the right line. */
const LEVELS_PER_LINE = 8;
/** Maximum number of lines in a drawing. */
export const MAX_LINES = Math.floor(255 / LEVELS_PER_LINE);
/** Share of ink from which a pixel belongs to a line, of 255. */
const MIN_INK = 80;

/** The pixels of each line: drawn in blue on black, with the number of the line in red. */
const findInk = ({ data }: Raster, count: number): number[][] => {
  const ink = Array.from({ length: count }, (): number[] => []);
  for (let at = 0; at < data.length; at += RGBA) {
    const blue = data[at + 2] as number;
    if (blue < MIN_INK) continue;
    const line = Math.round(((data[at] as number) * 255) / blue / LEVELS_PER_LINE) - 1;
    ink[line]?.push(at / RGBA);
  }
  return ink;
};

/** The rectangle around ink at the angle of its line. */
const cornersOf = ({ degrees }: TextLine, ink: readonly number[], width: number): Corners => {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const at of ink) {
    const [x, y] = [(at % width) + 0.5, Math.floor(at / width) + 0.5];
    const [along, across] = [cos * x + sin * y, cos * y - sin * x];
    left = Math.min(left, along - 0.5);
    right = Math.max(right, along + 0.5);
    top = Math.min(top, across - 0.5);
    bottom = Math.max(bottom, across + 0.5);
  }
  const corner = (along: number, across: number): Corner => [
    cos * along - sin * across,
    sin * along + cos * across,
  ];
  return [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)];
};

/** Draws an image, and finds the ink of each of its lines. */
export const drawText = async (drawing: Drawing): Promise<LabelledText> => {
  const { background, lines } = drawing;
  if (lines.length > MAX_LINES) throw new Error(`a drawing has at most ${MAX_LINES} lines`);
  const shown = lines.map((line) => lineSvg(line, line.colour)).join('');
  const raster = await toRaster(drawing, background + shown);
  const numbered = lines.map((line, i) => lineSvg(line, `rgb(${(i + 1) * LEVELS_PER_LINE},0,255)`)).join('');
  const black = `<rect width="${drawing.width}" height="${drawing.height}"/>`;
  const ink = findInk(await toRaster(drawing, black + numbered), lines.length);
  return {
    raster,
    lines: lines.map((line, i) => {
      const own = ink[i] as number[];
      return { ...line, ink: own, corners: cornersOf(line, own, drawing.width) };
    }),
  };
};
