import { readImageHeader } from '#shared/engine/formats/read-header';
import { readFile } from 'node:fs/promises';
import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_CLASSES, perClass, type ObjectClass } from '#shared/catalogue/classes';
import {
  DEFAULT_THRESHOLDS,
  defaultImageOptions,
  type ImageOptions,
  type PlateSearch,
  type QualityPreset,
} from '#shared/domain/options';
import type { RedactionPlan } from '#shared/domain/plan';
import type { EngineMethods } from '#shared/ports/engine';
import type { LabelledImage } from './labelled-image';
import { countOverBlur, type OverBlur } from './over-blur';
import { countPixels, type PixelOutcome } from './pixels';
import { matchImage, type Found, type Outcome } from './score';

/** Options of an evaluation. */
export interface EvalOptions {
  readonly plates: PlateSearch;
  readonly quality: QualityPreset;
  /** Whether the lowest thresholds are used, for curves. Masks are not evaluated then. */
  readonly isSweep: boolean;
}

/** Detections with lower scores are mostly noise, and too many to merge. */
export const LOWEST_SWEPT = 0.1;
const LOWEST_THRESHOLDS = perClass(() => LOWEST_SWEPT, DEFAULT_CLASSES);

const optionsFor = (
  classes: readonly ObjectClass[],
  { plates, quality, isSweep }: EvalOptions,
): ImageOptions =>
  defaultImageOptions({
    method: 'detect',
    classes,
    thresholds: isSweep ? LOWEST_THRESHOLDS : DEFAULT_THRESHOLDS,
    plates,
    qualityPreset: quality,
  });

const encoding = { format: 'jpeg', quality: 90 } as const;

/** Runs detection on one photo, and returns the redaction plan. */
export const search = async (
  engine: EngineMethods,
  path: string,
  classes: readonly ObjectClass[],
  how: EvalOptions,
): Promise<RedactionPlan> => {
  const bytes = await readFile(path);
  const job = {
    bytes,
    header: await readImageHeader(bytes, LIMITS),
    options: optionsFor(classes, how),
    encoding,
    masks: [],
  };
  return (await engine.anonymiseImage(job, () => undefined, new AbortController().signal)).plan;
};

/** Result of one class on one image. */
export interface MediaOutcome extends Outcome {
  readonly image: LabelledImage;
  readonly pixels: PixelOutcome | undefined;
  readonly overBlur: OverBlur | undefined;
  /** All detections of the class, for drawings and exports. */
  readonly detections: readonly Found[];
}

const outcomeOf = (
  image: LabelledImage,
  plan: RedactionPlan,
  objectClass: ObjectClass,
  { isSweep }: EvalOptions,
): MediaOutcome => {
  const ofClass = <T extends { readonly objectClass: ObjectClass }>(labels: readonly T[]): T[] =>
    labels.filter((label) => label.objectClass === objectClass);
  const truths = ofClass(image.truth);
  const regions = plan.regions.filter(({ detection }) => detection.objectClass === objectClass);
  const detections = regions.map(({ detection }) => detection);
  const outcome = matchImage(
    detections,
    truths.map(({ box }) => box),
    ofClass(image.uncounted).map(({ box }) => box),
  );
  const regionOf = outcome.matches.map((index) => (index === undefined ? undefined : regions[index]));
  return {
    ...outcome,
    image,
    detections,
    pixels: isSweep ? undefined : countPixels(truths, regionOf, plan),
    overBlur: isSweep ? undefined : countOverBlur(image, regions, plan),
  };
};

/** In ms per image. */
export interface TimePerImage {
  /** Wall-clock time, which depends on the other load of the machine. */
  readonly ms: number;
  /** CPU time of all cores. */
  readonly processorMs: number;
}

export interface Evaluated {
  readonly outcomes: ReadonlyMap<ObjectClass, readonly MediaOutcome[]>;
  readonly time: TimePerImage;
}

/** Runs the product's own pipeline on every image. */
export const evaluate = async (
  engine: EngineMethods,
  images: readonly LabelledImage[],
  classes: readonly ObjectClass[],
  how: EvalOptions,
): Promise<Evaluated> => {
  const outcomes = new Map<ObjectClass, MediaOutcome[]>(classes.map((objectClass) => [objectClass, []]));
  let [ms, processorUs] = [0, 0];
  for (const image of images) {
    const start = performance.now();
    const before = process.cpuUsage();
    const plan = await search(engine, image.path, classes, how);
    ms += performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    processorUs += user + system;
    for (const [objectClass, list] of outcomes) list.push(outcomeOf(image, plan, objectClass, how));
  }
  const { length } = images;
  return { outcomes, time: { ms: ms / length, processorMs: processorUs / 1000 / length } };
};
