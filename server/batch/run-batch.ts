import { hides } from '#shared/catalogue/methods';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { UnreadableFile } from '#shared/domain/failure';
import type { Engine } from '#shared/ports/host-engine';
import type { Log } from '#shared/ports/system';
import { toHex } from '#shared/report/byte-text';
import { savedMasks } from '#shared/tasks/base/settings';
import { createPrivateFolder, removeLeftOverFolders, type PrivateFolder } from '../adapters/private-folder';
import { publicKeyOf } from '../adapters/report-keys';
import type { BatchConfig } from '../cli/config';
import type { FileOptions } from '../cli/file-settings';
import { FlagError } from '../cli/flag';
import { StartProblem } from '../cli/start-problem';
import { anonymiseFile, type BatchParts } from './file-service';
import { DiskFull, FileProblem } from './file-problem';
import type { MediaFile, WantedResults } from './media-file';
import { openOutputs } from './outputs';
import { fingerprint, planBatch, type BatchPlan, type FingerprintKind } from './plan-batch';
import type { Counts, Report } from './report';
import { createSettledFiles, POLL_MS, type WatchClock } from './watch';

export interface BatchPorts {
  readonly clock: WatchClock;
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
}

/** Sentences that explain why a run or a file was not completed. */
const STOPPED = 'Stopped: run the same command again to continue.';
const FAULT = 'An internal error occurred while it was processed.';

/** Result of processing the files. */
interface Ending extends Pick<Counts, 'done' | 'failed'> {
  /** Number of files with uncertain objects. */
  readonly uncertain: number;
  /** Why the run ended early, in a sentence; undefined if it did not. */
  readonly problem: string | undefined;
}

const wantedOf = (config: BatchConfig): WantedResults => ({
  anonymised: hides(config.edits?.body.method ?? config.options.method),
  masks: savedMasks(config),
  metadata: config.saveMetadata,
  report: config.saveReport,
  log: config.saveLog,
  exports: config.exports,
});

/** Hashes of the options that affect each kind of file: options of videos do not change the results of images. */
const fingerprintsOf = (
  config: BatchConfig,
  { report, log, exports, ...wanted }: WantedResults,
  { options, video }: FileOptions,
): Record<FingerprintKind, string> => {
  const { edits, given, reportKey, suffix, bag } = config;
  const signer = reportKey && publicKeyOf(reportKey);
  // Videos without it keep the fingerprints of the versions that kept nothing of them.
  const keeping = config.keepMetadata ? ['keep-metadata'] : [];
  const added = [
    edits?.body,
    report && { signer: signer && toHex(signer) },
    ...(log ? ['log'] : []),
    ...(suffix === '' ? [] : [suffix]),
    ...(exports.length > 0 ? [{ exports }] : []),
    ...(given ? [{ from: given.facts.sha256 }] : []),
  ];
  return {
    image: fingerprint([options, wanted, config.keepMetadata, ...added]),
    video: fingerprint([options, wanted.metadata, video, ...keeping, ...added]),
    bag: fingerprint([options, wanted.metadata, video, bag, ...added]),
  };
};

/** The public sentence of an error. Faults of the product are logged. */
const sentenceOf = (error: unknown, log: Log): string => {
  if (error instanceof UnreadableFile || error instanceof FileProblem) return error.message;
  log.error('A file failed.', error);
  return FAULT;
};

/** Refuses an output folder that is an input folder: results next to their sources would be confused with them. */
const refuseInputAsOutput = async (inputs: readonly string[], output: string): Promise<void> => {
  const realOutput = await realpath(output);
  for (const input of inputs) {
    if ((await realpath(input).catch(() => undefined)) === realOutput) {
      throw new FlagError(`--output must not be the input folder ${input}.`);
    }
  }
};

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );

/** Why bags are refused with these flags, in a sentence; undefined: they are not. */
const noBagsWith = ({ edits, given, video }: BatchConfig): string | undefined => {
  if (edits) return '--edits does not apply to MCAP bags.';
  if (given) return '--from does not apply to MCAP bags.';
  if (video.preview === undefined) return undefined;
  return '--preview does not apply to MCAP bags: use --end.';
};

/** Refuses folders with edits, which name objects of one image or video, and files that are to be watched. */
const refuseFilesForFolders = async ({ edits, inputs, watch }: BatchConfig): Promise<void> => {
  if (edits && (await isFolder(inputs[0]!))) {
    throw new FlagError(`--edits applies to one file, and ${inputs[0]} is a folder.`);
  }
  if (!watch) return;
  for (const input of inputs) {
    if (!(await isFolder(input))) throw new FlagError(`--watch applies to folders, and ${input} is none.`);
  }
};

/** Processes the files. One file more than the engine processes is always prepared. */
const processAll = async (
  files: readonly MediaFile[],
  parts: BatchParts,
  { log, report }: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  let [done, failed, uncertain] = [0, 0, 0];
  const halt = new AbortController();
  const signal = AbortSignal.any([stop, halt.signal]);
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      try {
        const result = await anonymiseFile(file, parts, signal);
        report.done(file, result);
        done += 1;
        if (result.uncertain.count > 0) uncertain += 1;
      } catch (error) {
        if (error instanceof DiskFull || error instanceof FlagError) halt.abort(error);
        if (signal.aborted) return;
        failed += 1;
        report.failed(file.path, sentenceOf(error, log));
      }
    }
  };
  await Promise.all(Array.from({ length: parts.config.workers + 1 }, work));
  if (halt.signal.reason instanceof FlagError) throw halt.signal.reason;
  return {
    ...{ done, failed, uncertain },
    problem: halt.signal.aborted ? (halt.signal.reason as DiskFull).message : undefined,
  };
};

/** Folders for the files of tasks. A converted copy shows everybody: it is not in the folder of the results. */
const createFolders = async (workFolder: string): Promise<Record<'input' | 'output', PrivateFolder>> => {
  try {
    const output = await createPrivateFolder({ prefix: join(workFolder, '.veil-private-') });
    return { input: await createPrivateFolder(), output };
  } catch (error) {
    throw new StartProblem('No folder for temporary files can be created.', { cause: error });
  }
};

const NOTHING_DONE = { done: 0, failed: 0, uncertain: 0 };

const processFiles = async (
  plan: BatchPlan,
  { workFolder, ...parts }: Omit<BatchParts, 'folders'> & { readonly workFolder: string },
  ports: BatchPorts,
  stop: AbortSignal,
): Promise<Ending> => {
  // Loading takes seconds; a run without files to process skips it.
  if (plan.files.length === 0) return { ...NOTHING_DONE, problem: undefined };
  try {
    // With given detections no model runs.
    if (!parts.config.given) await ports.engine.load(parts.config.options, () => undefined, stop);
  } catch (error) {
    if (!stop.aborted) ports.log.error('The models could not be loaded.', error);
    return { ...NOTHING_DONE, problem: 'The models could not be loaded.' };
  }
  const { input, output } = await createFolders(workFolder);
  try {
    const folders = { input: input.path, output: output.path };
    return await processAll(plan.files, { ...parts, folders }, ports, stop);
  } finally {
    await input.remove();
    await output.remove();
  }
};

const countsOf = (
  { files, notTaken, done }: BatchPlan,
  ending: Ending,
  { failOnUncertain }: BatchConfig,
): Counts => ({
  done: ending.done,
  failed: ending.failed + notTaken.filter(({ kind }) => kind === 'failed').length,
  skipped: done.length,
  left: notTaken.filter(({ kind }) => kind === 'left').length,
  open: files.length - ending.done - ending.failed,
  ...(failOnUncertain && {
    uncertain: ending.uncertain + done.filter(({ uncertain = 0 }) => uncertain > 0).length,
  }),
});

/** How a run has ended; `uncertain` only where it was asked for. */
export type Outcome = 'done' | 'uncertain' | 'incomplete';

const outcomeOf = ({ failed, open, uncertain = 0 }: Counts): Outcome => {
  if (failed > 0 || open > 0) return 'incomplete';
  return uncertain > 0 ? 'uncertain' : 'done';
};

const NO_FILES: Counts = { done: 0, failed: 0, skipped: 0, left: 0, open: 0 };

const sumOf = (a: Counts, b: Counts): Counts => ({
  done: a.done + b.done,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  left: a.left + b.left,
  open: a.open + b.open,
  ...(b.uncertain !== undefined && { uncertain: (a.uncertain ?? 0) + b.uncertain }),
});

interface Pass {
  readonly counts: Counts;
  /** Why the run ends early, in a sentence; undefined if it does not. */
  readonly problem: string | undefined;
}

/** Plans and processes until all files are done; of watched folders, until the run is stopped. */
const runPasses = async (
  pass: () => Promise<Pass>,
  { watch }: BatchConfig,
  { clock }: BatchPorts,
  stop: AbortSignal,
): Promise<Pass> => {
  let counts = NO_FILES;
  for (;;) {
    const { counts: more, problem } = await pass();
    counts = sumOf(counts, more);
    if (stop.aborted || problem !== undefined || !watch) {
      return { counts, problem: stop.aborted && counts.open > 0 ? STOPPED : problem };
    }
    await clock.pause(POLL_MS, stop);
  }
};

const isEmpty = ({ files, notTaken, done }: BatchPlan): boolean =>
  files.length + notTaken.length + done.length === 0;

/**
 * Anonymises all inputs. Failures are reported, and the other files are processed.
 *
 * @param stop ends the run between steps of an image or frames of a video; the next run continues with the open files
 * @throws FlagError, StartProblem
 */
export const runBatch = async (
  config: BatchConfig,
  ports: BatchPorts,
  stop: AbortSignal,
): Promise<Outcome> => {
  const { inputs, outputFolder, suffix, failOnUncertain, limits, watch } = config;
  const started = performance.now();
  await removeLeftOverFolders();
  await refuseFilesForFolders(config);
  const wanted = wantedOf(config);
  const outputs = await openOutputs(config, wanted);
  const { workFolder } = outputs;
  try {
    if (outputFolder !== undefined) await refuseInputAsOutput(inputs, outputFolder);
    await removeLeftOverFolders(workFolder);
    const { resultFormat } = config.options;
    const planned = {
      ...{ outputFolder, suffix, failOnUncertain, outputs, limits, resultFormat },
      noBags: noBagsWith(config),
      ...{ settings: config, folderSettings: config.folderSettings },
      fingerprints: (how: FileOptions) => fingerprintsOf(config, wanted, how),
      ...{ engine: ports.engine, settled: watch ? createSettledFiles(ports.clock) : undefined },
    };
    const parts = { config, ...ports, limit: pLimit(config.workers), workFolder };
    const pass = async (): Promise<Pass> => {
      const plan = await planBatch(inputs, planned, stop);
      if (!watch || !isEmpty(plan)) ports.report.planned(plan);
      const ending = await processFiles(plan, parts, ports, stop);
      return { counts: countsOf(plan, ending, config), problem: ending.problem };
    };
    const { counts, problem } = await runPasses(pass, config, ports, stop);
    ports.report.ended(counts, (performance.now() - started) / 1000, problem);
    return outcomeOf(counts);
  } catch (error) {
    if (error instanceof FlagError) await outputs.undo();
    throw error;
  }
};
