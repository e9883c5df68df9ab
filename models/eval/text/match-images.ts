import type { Corners } from '#shared/domain/detection';
import type { TextKind } from '#shared/domain/read-text';
import type { Random } from '../video/random';
import { drawText, type LabelledLine, type LabelledText, type TextLine } from './draw-text';
import { makeLine, type MadeLine } from './match-lines';
import { addNoise, fill, FONTS } from './text-content';
import { putOnScene } from './warp-text';

/** An image whose lines say what must be hidden in them. */
export interface MatchImage extends LabelledText {
  readonly group: string;
  readonly lines: readonly (LabelledLine & Pick<MadeLine, 'kind'>)[];
}

interface Sheet {
  readonly group: string;
  readonly width: number;
  readonly height: number;
  readonly sizePx: number;
  readonly text: string;
  readonly ground: string;
}

/** More lines than a drawing may have would only be small ones at the bottom. */
const MAX_LINES = 26;
/** Distance of lines, in font sizes. */
const PITCH = 1.9;
/** Mean width of a character, in font sizes. */
const CHARACTER = 0.6;
const LEFT = 0.06;

const draw = async (
  random: Random,
  { group, width, height, sizePx, text: colour, ground }: Sheet,
): Promise<MatchImage> => {
  const font = random.pick(FONTS);
  const count = Math.min(MAX_LINES, Math.floor((0.9 * height) / (PITCH * sizePx)));
  const made = Array.from({ length: count }, () => makeLine(random));
  const room = ((1 - 2 * LEFT) * width) / (CHARACTER * sizePx);
  const lines = made.map(({ text }, i): TextLine => ({
    text: text.slice(0, room),
    font,
    sizePx,
    colour,
    x: LEFT * width + (CHARACTER * sizePx * text.length) / 2 + 4,
    y: 0.05 * height + (i + 0.5) * PITCH * sizePx,
    degrees: 0,
  }));
  const drawn = await drawText({ width, height, background: fill(width, height, ground), lines });
  return { ...drawn, group, lines: drawn.lines.map((line, i) => withKind(line, made[i]?.kind)) };
};

const withKind = (line: LabelledLine, kind: TextKind | undefined): LabelledLine & Pick<MadeLine, 'kind'> => ({
  ...line,
  ...(kind && { kind }),
});

const PAGE = { width: 1240, height: 900 } as const;
const SHEETS: readonly Sheet[] = [
  ...[12, 16, 22, 30].map((sizePx) => ({
    ...PAGE,
    group: `document, ${sizePx} px`,
    sizePx,
    text: '#111',
    ground: '#fdfdfa',
  })),
  ...[13, 18].map((sizePx) => ({
    ...PAGE,
    group: `scan, ${sizePx} px`,
    sizePx,
    text: '#6d6d70',
    ground: '#d8d6cf',
  })),
  ...[12, 15, 20].map((sizePx) => ({
    ...PAGE,
    group: `screen, ${sizePx} px`,
    sizePx,
    text: '#e4e6ea',
    ground: '#1b1e24',
  })),
];

/** Places of a sheet of 900 × 640 px in a photo: seen from the side, from below, and turned. */
const VIEWS: readonly Corners[] = [
  [
    [160, 220],
    [1280, 120],
    [1290, 980],
    [170, 840],
  ],
  [
    [330, 130],
    [1240, 200],
    [1440, 1060],
    [150, 920],
  ],
  [
    [420, 120],
    [1420, 420],
    [1180, 1100],
    [200, 790],
  ],
];
const SCENE = { width: 1600, height: 1200, background: fill(1600, 1200, '#8d8a80'), lines: [] } as const;
const NOISE = 8;

const drawPhoto = async (random: Random, corners: Corners): Promise<MatchImage> => {
  const isScreen = random.between(0, 1) < 0.5;
  const colours = isScreen ? { text: '#d7dae0', ground: '#1d2026' } : { text: '#1b1b1f', ground: '#f3f1ea' };
  const sheet = await draw(random, { group: 'photo', width: 900, height: 640, sizePx: 20, ...colours });
  const put = putOnScene(await drawText(SCENE), sheet, corners);
  return {
    raster: addNoise(put.raster, random, NOISE),
    group: 'photo of a sheet or screen',
    lines: put.lines.map((line, i) => withKind(line, sheet.lines[i]?.kind)),
  };
};

/** All images of the evaluation, one after another. */
export async function* makeMatchImages(random: Random): AsyncGenerator<MatchImage> {
  for (const sheet of SHEETS) {
    const image = await draw(random, sheet);
    const isScan = sheet.group.startsWith('scan');
    yield isScan ? { ...image, raster: addNoise(image.raster, random, 2 * NOISE) } : image;
  }
  for (const corners of VIEWS) yield await drawPhoto(random, corners);
}
