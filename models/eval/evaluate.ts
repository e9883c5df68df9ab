import { readFile } from 'node:fs/promises';
import { LIMITS } from '#shared/domain/limits';
import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/domain/object-class';
import {
  DEFAULT_THRESHOLDS,
  defaultImageOptions,
  type ImageOptions,
  type PlateSearch,
  type QualityPreset,
} from '#shared/domain/options';
import type { RedactionPlan } from '#shared/domain/plan';
import type { EngineMethods } from '#shared/ports/engine';
import type { LabelledPicture } from './labelled-picture';
import { countPixels, type PixelOutcome } from './pixels';
import { matchPicture, type Outcome } from './score';

/** How pictures are searched. */
export interface How {
  readonly plateSearch: PlateSearch;
  readonly quality: QualityPreset;
  /** Down to the lowest scores, for curves; masks are not evaluated then. */
  readonly isSweep: boolean;
}

/** Below it detectors report mostly noise, and more of it than merging can take. */
export const LOWEST_SWEPT = 0.1;
const LOWEST_THRESHOLDS = {
  face: LOWEST_SWEPT,
  'license-plate': LOWEST_SWEPT,
  person: LOWEST_SWEPT,
  vehicle: LOWEST_SWEPT,
};

const optionsFor = (classes: readonly ObjectClass[], { plateSearch, quality, isSweep }: How): ImageOptions =>
  defaultImageOptions({
    method: 'detect',
    classes,
    thresholds: isSweep ? LOWEST_THRESHOLDS : DEFAULT_THRESHOLDS,
    plateSearch,
    quality,
  });

const encodings = {
  jpeg: { format: 'jpeg', quality: 90 },
  png: { format: 'png', compressLevel: 1 },
} as const;

/** Looks at one photo, as far as it takes to know what would be hidden in it. */
export const search = async (
  engine: EngineMethods,
  path: string,
  classes: readonly ObjectClass[],
  how: How,
): Promise<RedactionPlan> => {
  const job = {
    bytes: await readFile(path),
    options: optionsFor(classes, how),
    encodings,
    masks: [],
    limits: LIMITS,
  };
  return (await engine.anonymiseImage(job, () => undefined, new AbortController().signal)).plan;
};

/** What one class of one picture came to. */
export interface MediaOutcome extends Outcome {
  readonly picture: LabelledPicture;
  readonly pixels: PixelOutcome | undefined;
  /** For showing them: what was found there, rightly or not. */
  readonly boxes: readonly Box[];
}

const outcomeOf = (
  picture: LabelledPicture,
  plan: RedactionPlan,
  objectClass: ObjectClass,
  { isSweep }: How,
): MediaOutcome => {
  const ofClass = <T extends { readonly objectClass: ObjectClass }>(labels: readonly T[]): T[] =>
    labels.filter((label) => label.objectClass === objectClass);
  const truths = ofClass(picture.truth);
  const regions = plan.regions.filter(({ detection }) => detection.objectClass === objectClass);
  const boxes = regions.map(({ detection }) => detection.box);
  const outcome = matchPicture(
    regions.map(({ detection }) => detection),
    truths.map(({ box }) => box),
    ofClass(picture.uncounted).map(({ box }) => box),
  );
  const regionOf = outcome.matches.map((index) => (index === undefined ? undefined : regions[index]));
  return { ...outcome, picture, boxes, pixels: isSweep ? undefined : countPixels(truths, regionOf, plan) };
};

/** In ms. */
export interface TimePerPicture {
  /** By the clock: it grows with whatever else the machine does. */
  readonly ms: number;
  /** Of all processors together. */
  readonly processorMs: number;
}

export interface Evaluated {
  readonly outcomes: ReadonlyMap<ObjectClass, readonly MediaOutcome[]>;
  readonly time: TimePerPicture;
}

/** Looks at every picture, through the product's own pipeline. */
export const evaluate = async (
  engine: EngineMethods,
  pictures: readonly LabelledPicture[],
  classes: readonly ObjectClass[],
  how: How,
): Promise<Evaluated> => {
  const outcomes = new Map<ObjectClass, MediaOutcome[]>(classes.map((objectClass) => [objectClass, []]));
  let [ms, processorUs] = [0, 0];
  for (const picture of pictures) {
    const start = performance.now();
    const before = process.cpuUsage();
    const plan = await search(engine, picture.path, classes, how);
    ms += performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    processorUs += user + system;
    for (const [objectClass, list] of outcomes) list.push(outcomeOf(picture, plan, objectClass, how));
  }
  const { length } = pictures;
  return { outcomes, time: { ms: ms / length, processorMs: processorUs / 1000 / length } };
};
