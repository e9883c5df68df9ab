/**
 * `npm run eval`: how much of the objects in labelled photos the product detects and hides, with the engine that users
 * run.
 *
 * - `--set plates|plates-motorcycles|coco128|everyday|traffic-cameras|faces|small-faces|crowds|giant-crowds|crowds-by-hand|
 *   small-crowds|without-persons` (all), `--only TEXT` (photos with this text in their file name), `--limit N` photos of each set, spread over it
 *   (all);
 * - `--split held-out|tuning` (photos that none of the product's own networks was trained on, or the others; halves of
 *   sets without training photos; near duplicates are on one side, see `split.ts`);
 * - `--quality fast|balanced|thorough` sets the quality preset (balanced); `thorough` differs with packs alone;
 * - `--plates thorough` also searches for plates as text; `--packs FOLDER` uses the packs of models that are
 *   installed there, otherwise only the default models;
 * - `--ap` runs every photo a second time with the lowest thresholds, for the average precision; `--sweep` does only
 *   that, and prints a line for each threshold;
 * - `--worst N` names the photos with most mistakes; `--images FOLDER` also draws them;
 * - `--reviewed` does not count detections of unlabelled plates and faces that a person confirmed as wrong
 *   (`unlabelled-objects.json`);
 * - `--coco FILE` writes all detections in COCO's format for results, and the labels next to it (`FILE` with
 *   `.truth.json`), for other evaluation tools; with `--ap` the detections with the lowest thresholds;
 * - `--against REF|FILE` prints the changes since a git ref, which is evaluated, too, or since a table in a file.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { ObjectClass } from '#shared/catalogue/classes';
import { DEFAULT_THRESHOLDS, defaultImageOptions, QUALITY_PRESETS } from '#shared/domain/options';
import type { EngineMethods } from '#shared/ports/engine';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { describeChanges, readTable, tableOf } from './against';
import { toCoco, type CocoPart } from './coco';
import { DATA_SETS, type DataSet, isDataSetName, readReviewed, spread } from './data-sets';
import { evaluate, LOWEST_SWEPT, type EvalOptions, type MediaOutcome } from './evaluate';
import { interval } from './interval';
import type { LabelledImage } from './labelled-image';
import { openEngine } from './open-engine';
import { measureOverBlur } from './over-blur';
import { measurePixels } from './pixels';
import { averagePrecision, measure, recallBySize } from './score';
import { isSplit, SPLITS, takeSide } from './split';
import { heading, type Line, lineText, sizeHeading, sizeLine } from './table';
import { describeWorst, drawWorst, worst } from './worst';

endWhenOutputCloses();

const DATA_FOLDER = new URL('../../../shared/data', import.meta.url).pathname;
const SWEEP = Array.from({ length: 17 }, (_, i) => LOWEST_SWEPT + i * 0.05);

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: Object.keys(DATA_SETS) },
    limit: { type: 'string', default: 'Infinity' },
    sweep: { type: 'boolean', default: false },
    ap: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    worst: { type: 'string', default: '0' },
    images: { type: 'string' },
    split: { type: 'string', default: 'all' },
    plates: { type: 'string', default: 'usual' },
    packs: { type: 'string' },
    quality: { type: 'string', default: 'balanced' },
    against: { type: 'string' },
    coco: { type: 'string' },
    reviewed: { type: 'boolean', default: false },
  },
});

/** Additional output after the tables, and the table of sizes. */
interface Report {
  readonly lines: string[];
  readonly sizes: string[];
  readonly notes: string[];
  /** Detections to export. */
  readonly parts: CocoPart[];
}

const imagesOf = async (name: string, set: DataSet, report: Report): Promise<readonly LabelledImage[]> => {
  if (!isSplit(flags.split)) throw new Error(`No such split. Splits: ${SPLITS.join(', ')}.`);
  const { photos, note } = await takeSide(name, set.read(DATA_FOLDER), flags.split, set.isDivided ?? false);
  if (note !== undefined) report.notes.push(note);
  const reviewed = flags.reviewed ? photos.map(readReviewed()) : photos;
  const images = set.compose ? await set.compose(reviewed) : reviewed;
  const named = images.filter(({ path }) => basename(path).includes(flags.only));
  return spread(named, Number(flags.limit));
};

const lineOf = (
  facts: Line['facts'],
  outcomes: readonly MediaOutcome[],
  swept: readonly MediaOutcome[] | undefined,
): Line => ({
  facts,
  measure: measure(outcomes, facts.threshold),
  recall: interval(outcomes, (drawn) => measure(drawn, facts.threshold).recall),
  precision: interval(outcomes, (drawn) => measure(drawn, facts.threshold).precision),
  pixels: measurePixels(outcomes.flatMap(({ pixels }) => pixels ?? [])),
  overBlur: measureOverBlur(outcomes.flatMap(({ overBlur }) => overBlur ?? [])),
  ...(swept && { averagePrecision: averagePrecision(swept) }),
});

const printWorst = async (
  name: string,
  objectClass: ObjectClass,
  outcomes: readonly MediaOutcome[],
  notes: string[],
): Promise<void> => {
  if (Number(flags.worst) === 0) return;
  const chosen = worst(outcomes, Number(flags.worst));
  notes.push(`\nMost mistakes, ${name}, ${objectClass}:`, ...chosen.map(describeWorst));
  if (flags.images === undefined) return;
  for (const outcome of chosen) await drawWorst(outcome, objectClass, flags.images);
};

const evaluateSet = async (
  engine: EngineMethods,
  name: string,
  set: DataSet,
  report: Report,
): Promise<void> => {
  const images = await imagesOf(name, set, report);
  const how: EvalOptions = {
    plates: flags.plates === 'thorough' ? 'thorough' : 'usual',
    quality: QUALITY_PRESETS.find((preset) => preset === flags.quality) ?? 'balanced',
    isSweep: flags.sweep,
  };
  const { outcomes, time } = await evaluate(engine, images, set.classes, how);
  const swept = flags.ap && (await evaluate(engine, images, set.classes, { ...how, isSweep: true }));
  for (const [objectClass, list] of outcomes) {
    report.parts.push({
      set: name,
      objectClass,
      outcomes: (swept ? swept.outcomes.get(objectClass) : undefined) ?? list,
    });
    const factsAt = (threshold: number) =>
      ({ set: name, objectClass, threshold, images: images.length, time }) as const;
    if (flags.sweep) {
      for (const threshold of SWEEP) {
        const facts = factsAt(threshold);
        report.lines.push(lineText({ facts, measure: measure(list, threshold) }));
      }
      continue;
    }
    const facts = factsAt(DEFAULT_THRESHOLDS[objectClass]);
    report.lines.push(lineText(lineOf(facts, list, swept ? swept.outcomes.get(objectClass) : undefined)));
    report.sizes.push(sizeLine(facts, recallBySize(list, facts.threshold)));
    await printWorst(name, objectClass, list, report.notes);
  }
};

/** Writes detections to a file, and the labels of the same photos next to it. */
const writeCoco = async (file: string, parts: readonly CocoPart[]): Promise<void> => {
  const { truth, results } = toCoco(parts);
  await writeFile(file, JSON.stringify(results));
  await writeFile(`${file.replace(/\.json$/, '')}.truth.json`, JSON.stringify(truth));
};

/** Options for the evaluation of the other commit, which may not support newer ones. */
const comparedFlags = (): string[] =>
  ['limit', 'only', 'split', 'plates', ...(flags.quality === 'balanced' ? [] : ['quality'])]
    .flatMap((name) => [`--${name}`, String(flags[name as 'limit'])])
    .concat(flags.set.flatMap((name) => ['--set', name]));

const main = async (): Promise<void> => {
  const unknown = flags.set.filter((name) => !isDataSetName(name));
  if (unknown.length > 0) {
    throw new Error(`No such set: ${unknown.join(', ')}. Sets: ${Object.keys(DATA_SETS).join(', ')}.`);
  }
  if (!existsSync(DATA_FOLDER)) {
    return console.log(`Nothing to measure: there is no labelled data in ${DATA_FOLDER}.`);
  }
  const engine = await openEngine(flags.packs);
  const { backend } = await engine.load(defaultImageOptions(), () => undefined, new AbortController().signal);
  console.log(`Engine on ${backend}.\n\n${heading}`);
  const report: Report = { lines: [], sizes: [], notes: [], parts: [] };
  for (const name of flags.set.filter(isDataSetName)) {
    const first = report.lines.length;
    await evaluateSet(engine, name, DATA_SETS[name], report);
    console.log(report.lines.slice(first).join('\n'));
  }
  if (report.sizes.length > 0) console.log(`\nRecall by size:\n\n${sizeHeading}\n${report.sizes.join('\n')}`);
  if (report.notes.length > 0) console.log(report.notes.join('\n'));
  if (flags.coco !== undefined) await writeCoco(flags.coco, report.parts);
  if (flags.against === undefined) return;
  const now = readTable([heading, ...report.lines].join('\n'));
  console.log(`\nSince ${flags.against}:\n`);
  console.log(describeChanges(tableOf(flags.against, comparedFlags()), now).join('\n'));
};

await main();
