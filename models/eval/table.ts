import type { ObjectClass } from '#shared/catalogue/classes';
import type { TimePerImage } from './evaluate';
import type { Interval } from './interval';
import type { PixelMeasure } from './pixels';
import { COVERED, MATCH_IOU, NEAR_IOU, SIZES, type Measure, type SizeRecall } from './score';

/** Conditions of one row. */
export interface LineFacts {
  readonly set: string;
  readonly objectClass: ObjectClass;
  readonly threshold: number;
  readonly images: number;
  readonly time: TimePerImage;
}

/** Conditions and figures of one row. */
export interface Line {
  readonly facts: LineFacts;
  readonly measure: Measure;
  readonly recall?: Interval;
  readonly precision?: Interval;
  readonly pixels?: PixelMeasure;
  /** Share of the hidden pixels that belong to no object. */
  readonly overBlur?: number;
  readonly averagePrecision?: number;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (names: readonly string[]): string => [row(names), row(names.map(() => '---'))].join('\n');
const share = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(3);
const within = (value: number, interval: Interval | undefined): string =>
  interval === undefined || Number.isNaN(interval.from)
    ? share(value)
    : `${share(value)} (${interval.from.toFixed(2)}–${interval.to.toFixed(2)})`;

/** Name of each column, with the function that formats its cell. */
const COLUMNS: readonly (readonly [string, (line: Line) => string])[] = [
  ['Set', ({ facts }) => facts.set],
  ['Photos', ({ facts }) => String(facts.images)],
  ['Class', ({ facts }) => facts.objectClass],
  ['Objects', ({ measure }) => String(measure.truths)],
  ['Threshold', ({ facts }) => facts.threshold.toFixed(2)],
  [`Recall (IoU ${MATCH_IOU})`, ({ measure, recall }) => within(measure.recall, recall)],
  ['Precision', ({ measure, precision }) => within(measure.precision, precision)],
  [`Precision (IoU ${NEAR_IOU})`, ({ measure }) => share(measure.nearPrecision)],
  ['AP', ({ averagePrecision }) => share(averagePrecision)],
  [`Covered (${COVERED * 100} %)`, ({ measure }) => share(measure.covered)],
  [`Hidden (${COVERED * 100} %)`, ({ pixels }) => share(pixels?.hidden)],
  ['False per photo', ({ measure }) => measure.falsePerImage.toFixed(2)],
  ['Hides nothing, per photo', ({ measure }) => measure.strayPerImage.toFixed(2)],
  ['Pixels uncovered, found', ({ pixels }) => share(pixels?.uncoveredOfFound)],
  ['Pixels uncovered, missed', ({ pixels }) => share(pixels?.uncoveredOfMissed)],
  ['Hidden pixels next to objects', ({ overBlur }) => share(overBlur)],
  ['Mask mIoU', ({ pixels }) => share(pixels?.maskIou)],
  ['Mask recall', ({ pixels }) => share(pixels?.maskRecall)],
  ['ms per photo', ({ facts }) => facts.time.ms.toFixed(0)],
  ['Processor ms per photo', ({ facts }) => facts.time.processorMs.toFixed(0)],
];

/** Columns that identify a row. */
export const KEY_COLUMNS = ['Set', 'Class', 'Threshold'] as const;

/** A Markdown table with one row per class and set. */
export const heading = head(COLUMNS.map(([name]) => name));
export const lineText = (line: Line): string => row(COLUMNS.map(([, cell]) => cell(line)));

const SIZE_NAMES = SIZES.map((from, i) => {
  const to = SIZES[i + 1];
  return to === undefined ? `≥ ${from} px` : from === 0 ? `< ${to} px` : `${from}–${to} px`;
});

/** A table of recall by size (root of the box's area). */
export const sizeHeading = head(['Set', 'Class', ...SIZE_NAMES]);
export const sizeLine = (facts: LineFacts, recalls: readonly SizeRecall[]): string =>
  row([
    facts.set,
    facts.objectClass,
    ...recalls.map(({ recall, truths }) => `${share(recall)} of ${truths}`),
  ]);
