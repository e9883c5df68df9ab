import type { ObjectClass } from '#shared/pipeline/object-class';
import { COVERED, MATCH_IOU, type Measure } from './score';

/** What a line was measured on. */
export interface LineFacts {
  readonly set: string;
  readonly objectClass: ObjectClass;
  readonly threshold: number;
  readonly pictures: number;
  readonly msPerPicture: number;
}

const COLUMNS = ['Set', 'Photos', 'Class', 'Objects', 'Threshold', `Recall (IoU ${MATCH_IOU})`];
const MORE_COLUMNS = ['Precision', `Covered (${COVERED * 100} %)`, 'False per photo', 'ms per photo'];
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const ALL = [...COLUMNS, ...MORE_COLUMNS];

export const heading = [row(ALL), row(ALL.map(() => '---'))].join('\n');

/** A row of the Markdown table. */
export const line = (facts: LineFacts, measure: Measure): string =>
  row([
    facts.set,
    String(facts.pictures),
    facts.objectClass,
    String(measure.truths),
    facts.threshold.toFixed(2),
    measure.recall.toFixed(3),
    measure.precision.toFixed(3),
    measure.covered.toFixed(3),
    measure.falsePerPicture.toFixed(2),
    facts.msPerPicture.toFixed(0),
  ]);
