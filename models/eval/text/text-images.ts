import type { Corners } from '#shared/domain/detection';
import type { Random } from '../video/random';
import { drawText, type TextLine, type TextImage } from './draw-text';
import { drawDesks } from './desk';
import { drawScripts } from './scripts';
import { addNoise, fill, FONTS, makeText, WORDS } from './text-content';
import { putOnScene } from './warp-text';

/** Colours of text and background. */
interface Colours {
  readonly name: string;
  readonly text: string;
  readonly ground: string;
}
const COLOURS: readonly Colours[] = [
  { name: 'dark on light', text: '#111', ground: '#fdfdfa' },
  { name: 'light on dark', text: '#e8e8e8', ground: '#16181d' },
  { name: 'low contrast', text: '#8a8a8a', ground: '#c4c4c0' },
];

/** More lines would only take longer. */
const MAX_PAGE_LINES = 16;

/** A page or screen: lines of one size below each other. */
const drawPage = async (
  random: Random,
  sizePx: number,
  { text: colour, ground, name }: Colours,
): Promise<TextImage> => {
  const [width, height] = [1240, 860];
  const pitch = Math.max(22, 2.1 * sizePx);
  const count = Math.min(MAX_PAGE_LINES, Math.floor((height - 60) / pitch));
  const lines = Array.from({ length: count }, (_, i): TextLine => {
    const share = random.between(0.1, 0.4);
    return {
      text: makeText(random, (share * width) / (0.62 * sizePx)),
      font: random.pick(FONTS),
      sizePx,
      colour,
      x: width / 2 + random.between(-300, 300),
      y: 40 + i * pitch,
      degrees: 0,
    };
  });
  const drawn = await drawText({ width, height, background: fill(width, height, ground), lines });
  return { ...drawn, group: `page, ${sizePx} px, ${name}` };
};

/** A street-like background: gradients and noise. */
const SCENE = `<defs><linearGradient id="g" x1="0" y1="0" x2="0.3" y2="1"><stop offset="0" stop-color="#9db4c8"/>
<stop offset="0.55" stop-color="#8d8a80"/><stop offset="1" stop-color="#4c4a48"/></linearGradient></defs>
<rect width="1600" height="1200" fill="url(#g)"/>`;

const NOISE = 14;

/** Signs on a scene, one line each, all at one angle. */
const drawTurned = async (random: Random, degrees: number): Promise<TextImage> => {
  const [width, height] = [1600, 1200];
  const lines: TextLine[] = [];
  let background = SCENE;
  for (const [column, row] of [0, 1, 2, 3].flatMap((c) => [0, 1, 2].map((r) => [c, r] as const))) {
    const [x, y] = [200 + 400 * column, 200 + 400 * row];
    const sizePx = [14, 22, 32, 44][column]!;
    const { text: colour, ground } = random.pick(COLOURS.slice(0, 2));
    lines.push({
      text: makeText(random, Math.min(10, 300 / (0.7 * sizePx) - 6)),
      font: random.pick(FONTS),
      sizePx,
      colour,
      x,
      y,
      degrees,
    });
    background += `<rect x="-190" y="${-1.1 * sizePx}" width="380" height="${2.2 * sizePx}" fill="${ground}" transform="translate(${x} ${y}) rotate(${degrees})"/>`;
  }
  const drawn = await drawText({ width, height, background, lines });
  return { ...drawn, raster: addNoise(drawn.raster, random, NOISE), group: `signs, turned by ${degrees}°` };
};

/** Letters below each other, as on signs of shops. */
const drawStacked = async (random: Random): Promise<TextImage> => {
  const [width, height] = [1600, 1200];
  const sizes = [16, 24, 36, 48];
  const lines = sizes.flatMap((sizePx, column) =>
    [0, 1].map((row): TextLine => ({
      text: random.pick(WORDS).slice(0, 8).toUpperCase(),
      font: random.pick(FONTS),
      sizePx,
      colour: '#101014',
      x: 200 + 400 * column,
      y: 300 + 600 * row,
      degrees: 0,
      isStacked: true,
    })),
  );
  const grounds = lines.map(
    ({ x, y, sizePx }) =>
      `<rect x="${x - sizePx}" y="${y - 5 * sizePx}" width="${2 * sizePx}" height="${10 * sizePx}" fill="#f1eee0"/>`,
  );
  const drawn = await drawText({ width, height, background: SCENE + grounds.join(''), lines });
  return {
    ...drawn,
    raster: addNoise(drawn.raster, random, NOISE),
    group: 'signs, letters below each other',
  };
};

/** Places of a sign of 800 x 400 px in the scene, seen from the side, from below, and far away. */
const VIEWS: readonly Corners[] = [
  [
    [120, 300],
    [1100, 180],
    [1100, 760],
    [120, 620],
  ],
  [
    [300, 160],
    [1250, 260],
    [1400, 980],
    [180, 760],
  ],
  [
    [600, 420],
    [1010, 470],
    [1000, 640],
    [610, 660],
  ],
  [
    [820, 120],
    [1340, 420],
    [1200, 720],
    [700, 330],
  ],
];

const drawPerspective = async (random: Random): Promise<TextImage[]> => {
  const images: TextImage[] = [];
  const scene = await drawText({ width: 1600, height: 1200, background: SCENE, lines: [] });
  for (const corners of VIEWS) {
    const { text: colour, ground } = random.pick(COLOURS.slice(0, 2));
    const lines = [60, 44, 32, 32].map((sizePx, i): TextLine => ({
      text: makeText(random, 600 / (0.7 * sizePx) - 6),
      font: random.pick(FONTS),
      sizePx,
      colour,
      x: 400,
      y: 70 + 90 * i,
      degrees: 0,
    }));
    const sign = await drawText({ width: 800, height: 400, background: fill(800, 400, ground), lines });
    const put = putOnScene(scene, sign, corners);
    images.push({ ...put, raster: addNoise(put.raster, random, NOISE), group: 'signs, in perspective' });
  }
  return images;
};

/** Few large letters, as on a shop front. */
const drawLarge = async (random: Random): Promise<TextImage> => {
  const [width, height] = [1600, 1200];
  const lines = [90, 160, 260, 380].map((sizePx, i): TextLine => ({
    text: random.pick(WORDS).slice(0, 5),
    font: random.pick(FONTS),
    sizePx,
    colour: i % 2 === 0 ? '#f2f2f2' : '#202020',
    x: width / 2,
    y: [90, 270, 560, 970][i]!,
    degrees: 0,
  }));
  const drawn = await drawText({ width, height, background: SCENE, lines });
  return { ...drawn, raster: addNoise(drawn.raster, random, NOISE), group: 'signs, 90 to 380 px' };
};

const PAGE_SIZES = [8, 9, 10, 12, 14, 20, 28] as const;
const STEP_DEGREES = 15;

/** All images of the evaluation, one after another. */
export async function* makeImages(random: Random): AsyncGenerator<TextImage> {
  for (const sizePx of PAGE_SIZES) {
    for (const colours of COLOURS) yield await drawPage(random, sizePx, colours);
  }
  for (let degrees = 0; degrees < 360; degrees += STEP_DEGREES) yield await drawTurned(random, degrees);
  yield await drawStacked(random);
  yield* await drawPerspective(random);
  yield await drawLarge(random);
  yield* drawScripts(random);
  yield* drawDesks(random);
}
