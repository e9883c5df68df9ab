import { mkdir, realpath } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { UnreadableFile } from '#shared/engine/formats/sniff';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import { savedMasks } from '#shared/tasks/base/settings';
import type { BatchConfig } from '../cli/config';
import { FlagError } from '../cli/flag';
import { StartProblem } from '../cli/start-problem';
import { anonymiseFile } from './anonymise-file';
import type { BatchParts } from './batch-parts';
import { DiskFull, FileProblem } from './file-problem';
import { openManifest, type Manifest } from './manifest';
import type { MediaFile, MediaKind } from './media-file';
import { createNamer, type Wanted } from './output-names';
import { fingerprint, planBatch, type BatchPlan } from './plan-batch';
import type { Counts, Report } from './report';

export interface BatchPorts {
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
}

/** Why the rest is not done, for people. */
const STOPPED = 'Stopped: run the same command again to continue.';
const FAULT = 'An internal error occurred while it was processed.';

/** How far the files came. */
interface Ending extends Pick<Counts, 'done' | 'failed'> {
  /** Why it ended before its time, a sentence. */
  readonly problem: string | undefined;
}

const wantedOf = (config: BatchConfig): Wanted => ({
  anonymised: config.options.method !== 'detect',
  masks: savedMasks(config),
  metadata: config.saveMetadata,
});

/** What only videos are made by makes no picture another one. */
const fingerprintsOf = (config: BatchConfig, wanted: Wanted): Record<MediaKind, string> => ({
  image: fingerprint([config.options, wanted, config.keepMetadata]),
  video: fingerprint([config.options, wanted.metadata, config.video]),
});

const openOutput = async (folder: string): Promise<Manifest> => {
  try {
    await mkdir(folder, { recursive: true });
    return await openManifest(folder);
  } catch (error) {
    throw new StartProblem(`The folder ${folder} is not writable: choose another with --output.`, {
      cause: error,
    });
  }
};

/** The sentence of what is the file's fault; what is ours goes to the log. */
const sentenceOf = (error: unknown, log: Log): string => {
  if (error instanceof UnreadableFile || error instanceof FileProblem) return error.message;
  log.error('A file failed.', error);
  return FAULT;
};

/** Results beside the files that they were made from would soon be taken for them. */
const refuseInputAsOutput = async (inputs: readonly string[], output: string): Promise<void> => {
  const realOutput = await realpath(output);
  for (const input of inputs) {
    if ((await realpath(input).catch(() => undefined)) === realOutput) {
      throw new FlagError(`--output must not be the input folder ${input}.`);
    }
  }
};

/** Works through the files; one more than the engine takes is always ready for it. */
const workThrough = async (
  files: readonly MediaFile[],
  parts: BatchParts,
  { log, report }: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  let [done, failed] = [0, 0];
  const halt = new AbortController();
  const signal = AbortSignal.any([stop, halt.signal]);
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      try {
        report.done(file, await anonymiseFile(file, parts, signal));
        done += 1;
      } catch (error) {
        if (error instanceof DiskFull) halt.abort(error);
        if (signal.aborted) return;
        failed += 1;
        report.failed(file.path, sentenceOf(error, log));
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

const processFiles = async (
  plan: BatchPlan,
  parts: BatchParts,
  ports: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  // Loading takes seconds; a run without files to process skips it.
  if (plan.files.length === 0) return { done: 0, failed: 0, problem: undefined };
  try {
    await ports.engine.load(parts.config.classes, () => undefined, stop);
  } catch (error) {
    if (!stop.aborted) ports.log.error('The models could not be loaded.', error);
    return { done: 0, failed: 0, problem: 'The models could not be loaded.' };
  }
  return workThrough(plan.files, parts, ports, stop);
};

const countsOf = ({ files, notTaken, done }: BatchPlan, ending: Ending): Counts => ({
  done: ending.done,
  failed: ending.failed + notTaken.filter(({ kind }) => kind === 'failed').length,
  skipped: done.length,
  left: notTaken.filter(({ kind }) => kind === 'left').length,
  open: files.length - ending.done - ending.failed,
});

/**
 * Anonymises all inputs. Failures are reported, and the other files are processed.
 *
 * @param stop stops between steps of a picture, frames of a video; the next run takes up what is then open
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
    const options = fingerprintsOf(config, wanted);
    const namer = createNamer(wanted);
    const planned = { outputFolder, manifest, namer, limits, options, video: ports.engine };
    const plan = await planBatch(inputs, planned, stop);
    ports.report.planned(plan);
    const parts = {
      config,
      engine: ports.engine,
      inWork: pLimit(config.workers),
      report: ports.report,
      manifest,
    };
    const ending = await processFiles(plan, parts, ports, stop);
    const counts = countsOf(plan, ending);
    const problem = stop.aborted && counts.open > 0 ? STOPPED : ending.problem;
    ports.report.ended(counts, (performance.now() - started) / 1000, problem);
    return counts.failed === 0 && counts.open === 0;
  } finally {
    await manifest.close();
  }
};
