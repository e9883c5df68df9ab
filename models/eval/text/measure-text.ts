import { boxHeight, boxWidth } from '#shared/domain/boxes';
import { type Corner, type Corners, type Detection, growCorners } from '#shared/domain/detection';
import type { Raster } from '#shared/domain/raster';
import { HIDING_METHODS, type HidingMethod } from '#shared/catalogue/methods';
import { defaultImageOptions } from '#shared/domain/options';
import type { RedactionPlan } from '#shared/domain/plan';
import { rasteriseRegion } from '#shared/engine/redact/coverage';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import { redact } from '#shared/engine/redact/redact';
import type { ReadText } from '../attack/read-plates';
import { charactersInCommon } from '../attack/statistics';
import type { LabelledLine, LabelledText } from './draw-text';
import { straighten } from '#shared/engine/pixels/straighten';

/** How much of the text of some lines was hidden and read. */
export interface TextScore {
  lines: number;
  /** Lines of which all ink was hidden. */
  hiddenLines: number;
  /** Pixels with ink: all, and those that stayed visible. */
  ink: number;
  visibleInk: number;
  /** Hidden pixels, and those of the rectangles around the ink. */
  hiddenPx: number;
  textPx: number;
  characters: number;
  /** Text and place of the lines with visible ink, with the share of it. */
  readonly missed: string[];
  /** Characters that the recogniser read, before and after each method. */
  readonly read: Record<'before' | HidingMethod, number>;
}

export const emptyScore = (): TextScore => ({
  lines: 0,
  hiddenLines: 0,
  ink: 0,
  visibleInk: 0,
  hiddenPx: 0,
  textPx: 0,
  characters: 0,
  missed: [],
  read: Object.fromEntries(['before', ...HIDING_METHODS].map((key) => [key, 0])) as TextScore['read'],
});

/** Height of a straightened line, in px, as the recogniser expects it. */
const LINE_PX = 48;
/** Margin around a line for the recogniser, in its heights. */
const READ_MARGIN = 0.25;
/** Mean probability from which a reading counts, as in the recogniser's own pipeline (PaddleOCR: `drop_score`). */
const MIN_CONFIDENCE = 0.5;

const distance = ([ax, ay]: Corner, [bx, by]: Corner): number => Math.hypot(bx - ax, by - ay);

/** The characters that the recogniser can output. */
const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const readLine = async (raster: Raster, { corners }: LabelledLine, read: ReadText): Promise<string> => {
  const [a, b, c, d] = growCorners(corners, READ_MARGIN, READ_MARGIN) as Corners;
  const [across, down] = [distance(a, b) + distance(d, c), distance(b, c) + distance(a, d)];
  const width = Math.max(1, Math.round((LINE_PX * across) / down));
  const line = straighten(raster, [a, b, c, d], width, LINE_PX);
  const { text, confidence } = await read(line, { x1: 0, y1: 0, x2: width, y2: LINE_PX });
  return confidence >= MIN_CONFIDENCE ? text : '';
};

/** Which pixels are completely hidden. */
export const hiddenPixels = (plan: RedactionPlan): Uint8Array => {
  const hidden = new Uint8Array(plan.width * plan.height);
  for (const region of plan.regions) {
    const { box, alpha } = rasteriseRegion(region, plan);
    const across = boxWidth(box);
    for (let y = 0; y < boxHeight(box); y++) {
      for (let x = 0; x < across; x++) {
        if (alpha[y * across + x] === 255) hidden[(box.y1 + y) * plan.width + box.x1 + x] = 1;
      }
    }
  }
  return hidden;
};

export const planWith = (
  raster: Raster,
  detections: readonly Detection[],
  method: HidingMethod,
): RedactionPlan =>
  planRedaction(raster, detections, new Map(), defaultImageOptions({ method, classes: ['text'] }));

/** Adds one score to another. */
export const addScore = (total: TextScore, score: TextScore): void => {
  for (const key of [
    'lines',
    'hiddenLines',
    'ink',
    'visibleInk',
    'hiddenPx',
    'textPx',
    'characters',
  ] as const) {
    total[key] += score[key];
  }
  total.missed.push(...score.missed);
  for (const key of ['before', ...HIDING_METHODS] as const) total.read[key] += score.read[key];
};

/**
 * Adds the lines of one image to a score.
 *
 * @param detections of text in the image
 * @param read if absent, only the hidden ink is counted
 */
export const scoreImage = async (
  score: TextScore,
  { raster, lines }: LabelledText,
  detections: readonly Detection[],
  read?: ReadText,
): Promise<void> => {
  const hidden = hiddenPixels(planWith(raster, detections, 'blacken'));
  score.hiddenPx += hidden.reduce((sum, value) => sum + value, 0);
  for (const { ink, corners, text, sizePx } of lines) {
    const visible = ink.filter((at) => hidden[at] === 0).length;
    score.lines++;
    score.hiddenLines += visible === 0 ? 1 : 0;
    score.ink += ink.length;
    if (visible > 0) {
      const [x, y] = corners[0].map(Math.round) as [number, number];
      score.missed.push(
        `${text} (${sizePx} px, at ${x}, ${y}): ${((100 * visible) / ink.length).toFixed(1)} % visible`,
      );
    }
    score.visibleInk += visible;
    score.textPx += distance(corners[0], corners[1]) * distance(corners[1], corners[2]);
  }
  if (!read) return;
  const readAll = async (shown: Raster): Promise<number> => {
    let characters = 0;
    for (const line of lines) {
      characters += charactersInCommon(plain(line.text), await readLine(shown, line, read));
    }
    return characters;
  };
  score.characters += lines.reduce((sum, { text }) => sum + plain(text).length, 0);
  score.read.before += await readAll(raster);
  for (const method of HIDING_METHODS) {
    const shown = { ...raster, data: Uint8Array.from(raster.data) };
    redact(shown, planWith(raster, detections, method));
    score.read[method] += await readAll(shown);
  }
};
