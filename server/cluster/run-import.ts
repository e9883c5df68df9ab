import { ServiceUnavailable, StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import type { Job } from '#shared/tasks/base/job-store';
import { createLog } from '../adapters/log';
import { system } from '../adapters/system';
import type { ImportConfig } from '../cli/cluster-commands';
import { StartProblem } from '../cli/start-problem';
import { openImportSource } from './import-source';
import { importTasks, type ImportProgress } from './import-tasks';
import { openServices } from './services';

const MEGABYTE = 1_000_000;
/** Between two lines of progress. */
const REPORT_MS = 2_000;

const QUEUE_UNAVAILABLE =
  'The queue cannot be reached: an API process queues the waiting tasks as soon as it can.';

type Print = (line: string) => void;

const amountOf = ({ copied, bytes }: ImportProgress): string =>
  `${copied} ${copied === 1 ? 'task' : 'tasks'} (${Math.ceil(bytes / MEGABYTE)} MB)`;

/** The last sentence of an import. */
const summaryOf = (progress: ImportProgress, waiting: number): string =>
  [
    `Copied ${amountOf(progress)}`,
    ...(progress.known > 0 ? [`${progress.known} were there already`] : []),
    ...(waiting > 0 ? [`${waiting} wait for a worker`] : []),
  ].join('; ') + '.';

/** @returns a function that prints progress from time to time */
const progressPrinter = (print: Print): ((progress: ImportProgress) => void) => {
  let printedAtMs = performance.now();
  return (progress) => {
    if (performance.now() - printedAtMs < REPORT_MS) return;
    printedAtMs = performance.now();
    print(`Copied ${amountOf(progress)} of ${progress.tasks}.`);
  };
};

const asStartProblem = (error: unknown): unknown => {
  const sentence =
    error instanceof ServiceUnavailable
      ? error.sentence
      : error instanceof StorageUnavailable
        ? error.failure.sentence
        : undefined;
  if (sentence === undefined) return error;
  return new StartProblem(`${sentence} Start the import again: it continues where it ended.`, {
    cause: error,
  });
};

/**
 * Copies the tasks and files of a stopped server without a role into a cluster. Nothing of the source is changed.
 *
 * @throws StartProblem
 */
export const runImport = async (
  config: ImportConfig,
  print: Print = (line) => void process.stdout.write(`${line}\n`),
): Promise<void> => {
  const log = createLog({ logLevel: 'silent', logFormat: undefined });
  const source = await openImportSource(config.from);
  try {
    const { store, queue, files, close } = await openServices(config, log, 'api');
    try {
      const printProgress = progressPrinter(print);
      let last: ImportProgress = { tasks: 0, copied: 0, bytes: 0, known: 0, problems: [] };
      const jobs: readonly Job[] = await importTasks(
        source,
        { store, files: files.storage, system },
        config.work,
        (progress) => {
          last = progress;
          printProgress(progress);
        },
      );
      if (jobs.length > 0) await queue.add(jobs).catch(() => print(QUEUE_UNAVAILABLE));
      last.problems.forEach(print);
      print(summaryOf(last, jobs.length));
    } finally {
      await close();
    }
  } catch (error) {
    throw asStartProblem(error);
  } finally {
    await source.close();
  }
};
