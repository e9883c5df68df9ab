import { mkdir, realpath } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { UnreadableFile } from '#shared/pipeline/sniff';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import { createQueue } from '#shared/tasks/queue';
import { savedMasks } from '#shared/tasks/settings';
import type { BatchConfig } from '../config';
import { FlagError } from '../flags/flag';
import { StartProblem } from '../start-problem';
import { anonymisePicture, type PictureParts } from './anonymise-picture';
import { DiskFull, PictureProblem } from './file-problem';
import { openManifest, type Manifest } from './manifest';
import { createNamer, type Wanted } from './output-names';
import type { Picture } from './picture';
import { fingerprint, planBatch, type BatchPlan } from './plan-batch';
import type { Counts, Report } from './report';

export interface BatchPorts {
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
}

/** Why the rest is not done, for people. */
const STOPPED = 'Stopped: the same command goes on where this one ended.';
const FAULT = 'Something went wrong inside Veil while it was processed.';

/** How far the pictures came. */
interface Ending extends Pick<Counts, 'done' | 'failed'> {
  /** Why it ended before its time, a sentence. */
  readonly problem: string | undefined;
}

const wantedOf = (config: BatchConfig): Wanted => ({
  picture: config.options.method !== 'detect',
  masks: savedMasks(config),
  metadata: config.saveMetadata,
});

const openOutput = async (folder: string): Promise<Manifest> => {
  try {
    await mkdir(folder, { recursive: true });
    return await openManifest(folder);
  } catch (error) {
    throw new StartProblem(`The folder ${folder} cannot be written to: choose another with --output.`, {
      cause: error,
    });
  }
};

/** The sentence of what is the file's fault; what is ours goes to the log. */
const sentenceOf = (error: unknown, log: Log): string => {
  if (error instanceof UnreadableFile || error instanceof PictureProblem) return error.message;
  log.error('A picture failed.', error);
  return FAULT;
};

/** Results beside the pictures they hide would soon be taken for them. */
const refuseInputAsOutput = async (inputs: readonly string[], output: string): Promise<void> => {
  const realOutput = await realpath(output);
  for (const input of inputs) {
    if ((await realpath(input).catch(() => undefined)) === realOutput) {
      throw new FlagError(`--output must be another folder than the input ${input}.`);
    }
  }
};

/** Works through the pictures; one more than the engine takes is always ready for it. */
const workThrough = async (
  pictures: readonly Picture[],
  parts: PictureParts,
  { log, report }: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  let [done, failed] = [0, 0];
  const halt = new AbortController();
  const signal = AbortSignal.any([stop, halt.signal]);
  const waiting = pictures.values();
  const work = async (): Promise<void> => {
    for (const picture of waiting) {
      try {
        report.done(picture, await anonymisePicture(picture, parts, signal));
        done += 1;
      } catch (error) {
        if (error instanceof DiskFull) halt.abort(error);
        if (signal.aborted) return;
        failed += 1;
        report.failed(picture.path, sentenceOf(error, log));
      }
    }
  };
  await Promise.all(Array.from({ length: parts.config.workers + 1 }, work));
  return {
    done,
    failed,
    problem: halt.signal.aborted ? (halt.signal.reason as DiskFull).message : undefined,
  };
};

const processPictures = async (
  plan: BatchPlan,
  parts: PictureParts,
  ports: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  // Loading takes seconds, and a run that finds everything done takes none.
  if (plan.pictures.length === 0) return { done: 0, failed: 0, problem: undefined };
  try {
    await ports.engine.load(parts.config.classes, () => undefined);
  } catch (error) {
    ports.log.error('The models could not be loaded.', error);
    return { done: 0, failed: 0, problem: 'Veil cannot work: its models could not be loaded.' };
  }
  return workThrough(plan.pictures, parts, ports, stop);
};

const countsOf = ({ pictures, notTaken, done }: BatchPlan, ending: Ending): Counts => ({
  done: ending.done,
  failed: ending.failed + notTaken.filter(({ kind }) => kind === 'failed').length,
  skipped: done.length,
  left: notTaken.filter(({ kind }) => kind === 'left').length,
  open: pictures.length - ending.done - ending.failed,
});

/**
 * Anonymises everything that was named. What fails is reported, and the rest goes on.
 *
 * @param stop stops between steps of a picture; the next run takes up what is then open
 * @returns whether everything is done
 * @throws FlagError, StartProblem
 */
export const runBatch = async (
  config: BatchConfig,
  ports: BatchPorts,
  stop: AbortSignal,
): Promise<boolean> => {
  const { inputs, outputFolder, limits } = config;
  const started = performance.now();
  const manifest = await openOutput(outputFolder);
  try {
    await refuseInputAsOutput(inputs, outputFolder);
    const wanted = wantedOf(config);
    const optionsFingerprint = fingerprint([config.options, wanted, config.keepMetadata]);
    const namer = createNamer(wanted);
    const planned = { outputFolder, manifest, namer, limits, options: optionsFingerprint };
    const plan = await planBatch(inputs, planned, stop);
    ports.report.planned(plan);
    const parts = {
      config,
      engine: ports.engine,
      inWork: createQueue(config.workers),
      manifest,
      optionsFingerprint,
    };
    const ending = await processPictures(plan, parts, ports, stop);
    const counts = countsOf(plan, ending);
    const problem = stop.aborted && counts.open > 0 ? STOPPED : ending.problem;
    ports.report.ended(counts, (performance.now() - started) / 1000, problem);
    return counts.failed === 0 && counts.open === 0;
  } finally {
    await manifest.close();
  }
};
