/**
 * `npm run eval`: how much of what is in labelled photos the product finds, with the engine as users get it.
 *
 * Options: `--set plates|coco128|faces` (all), `--limit N` photos of each set, spread over it (all), `--sweep` (a
 * line for each threshold instead of the default one), `--only TEXT` (photos whose file name holds it), `--worst N`
 * (names the photos with most mistakes), `--split held-out` (photos that none of the product's own networks learnt
 * from; of sets that are for training, that is a part), `--plates plates-and-text` (looks for plates as text too),
 * `--packs FOLDER` (with the packs of models that are installed there; without it, the default models alone).
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { LIMITS } from '#shared/api/limits';
import type { ImageReport } from '#shared/pipeline/image-report';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/pipeline/object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from '#shared/pipeline/options';
import type { Engine } from '#shared/ports/engine';
import {
  DATA_SETS,
  type DataSet,
  isDataSetName,
  type LabelledPicture,
  readHeldOut,
  spread,
} from './data-sets';
import { openEngine } from './open-engine';
import { matchPicture, measure, type Outcome } from './score';
import { heading, line } from './table';

const DATA_FOLDER = new URL('../../../shared/data', import.meta.url).pathname;
/** Below it detectors report mostly noise, and more of it than merging can take. */
const LOWEST_SWEPT = 0.1;
const SWEEP = Array.from({ length: 17 }, (_, i) => LOWEST_SWEPT + i * 0.05);

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: Object.keys(DATA_SETS) },
    limit: { type: 'string', default: 'Infinity' },
    sweep: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    worst: { type: 'string', default: '0' },
    split: { type: 'string', default: 'all' },
    plates: { type: 'string', default: 'plates' },
    packs: { type: 'string' },
  },
});

const optionsFor = (classes: readonly ObjectClass[]): ImageOptions => ({
  method: 'detect',
  classes,
  thresholds: flags.sweep
    ? { face: LOWEST_SWEPT, 'license-plate': LOWEST_SWEPT, person: LOWEST_SWEPT, vehicle: LOWEST_SWEPT }
    : DEFAULT_THRESHOLDS,
  wholeBoxes: false,
  debug: false,
  score: false,
  tiling: { kind: 'whole' },
  plateSearch: flags.plates === 'plates-and-text' ? 'plates-and-text' : 'plates',
  ignores: [],
});

const detect = async (
  engine: Engine,
  path: string,
  classes: readonly ObjectClass[],
): Promise<ImageReport> => {
  const encodings = {
    jpeg: { format: 'jpeg', quality: 90 },
    png: { format: 'png', compressLevel: 1 },
  } as const;
  const job = {
    bytes: await readFile(path),
    options: optionsFor(classes),
    encodings,
    masks: [],
    limits: LIMITS,
  };
  const result = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
  return result.report;
};

const outcomeOf = (picture: LabelledPicture, report: ImageReport, objectClass: ObjectClass): Outcome => {
  const boxesOf = (labels: LabelledPicture['truth']) =>
    labels.filter((label) => label.objectClass === objectClass).map(({ box }) => box);
  const found = report.detections.filter((detection) => detection.objectClass === objectClass);
  return matchPicture(found, boxesOf(picture.truth), boxesOf(picture.uncounted));
};

const mistakes = ({ found, truths }: Outcome): number => {
  const right = found.filter(({ isRight }) => isRight).length;
  return truths + found.length - 2 * right;
};

/** Lines that name the photos with most mistakes. */
const worst = (pictures: readonly LabelledPicture[], outcomes: readonly Outcome[], count: number): string[] =>
  outcomes
    .map((outcome, i) => ({ name: basename(pictures[i]?.path ?? ''), outcome }))
    .filter(({ outcome }) => mistakes(outcome) > 0)
    .sort((a, b) => mistakes(b.outcome) - mistakes(a.outcome))
    .slice(0, count)
    .map(({ name, outcome: { truths, found } }) => {
      const right = found.filter(({ isRight }) => isRight).length;
      return `- ${name}: ${truths - right} missed, ${found.length - right} wrong`;
    });

const evaluate = async (engine: Engine, name: string, set: DataSet): Promise<string[]> => {
  const isHeldOut = flags.split === 'held-out' ? readHeldOut() : () => true;
  const named = set
    .read(DATA_FOLDER)
    .filter(({ path }) => basename(path).includes(flags.only) && isHeldOut(basename(path)));
  const pictures = spread(named, Number(flags.limit));
  const outcomes = new Map<ObjectClass, Outcome[]>(set.classes.map((objectClass) => [objectClass, []]));
  const start = performance.now();
  for (const picture of pictures) {
    const report = await detect(engine, picture.path, set.classes);
    for (const [objectClass, list] of outcomes) list.push(outcomeOf(picture, report, objectClass));
  }
  const msPerPicture = (performance.now() - start) / pictures.length;
  for (const [objectClass, list] of outcomes) {
    for (const threshold of flags.sweep ? SWEEP : [DEFAULT_THRESHOLDS[objectClass]]) {
      const facts = { set: name, objectClass, threshold, pictures: pictures.length, msPerPicture };
      console.log(line(facts, measure(list, threshold)));
    }
  }
  if (Number(flags.worst) === 0) return [];
  return [...outcomes].flatMap(([objectClass, list]) => [
    `\nMost mistakes, ${name}, ${objectClass}:`,
    ...worst(pictures, list, Number(flags.worst)),
  ]);
};

const main = async (): Promise<void> => {
  const unknown = flags.set.filter((name) => !isDataSetName(name));
  if (unknown.length > 0) {
    throw new Error(`No such set: ${unknown.join(', ')}. Sets: ${Object.keys(DATA_SETS).join(', ')}.`);
  }
  if (!existsSync(DATA_FOLDER)) {
    return console.log(`Nothing to measure: there is no labelled data in ${DATA_FOLDER}.`);
  }
  const engine = await openEngine(flags.packs);
  const { backend } = await engine.load(OBJECT_CLASSES, () => undefined);
  console.log(`Engine on ${backend}.\n\n${heading}`);
  const notes: string[] = [];
  for (const name of flags.set.filter(isDataSetName)) {
    notes.push(...(await evaluate(engine, name, DATA_SETS[name])));
  }
  console.log(notes.join('\n'));
};

await main();
