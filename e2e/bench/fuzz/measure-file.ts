import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UnreadableFile } from '#shared/domain/unreadable-file';

/** What one file may take until it is refused, or its header accepted; for files of up to `maxFileBytes`. */
export const FILE_BUDGET = {
  maxFileBytes: 1024 ** 2,
  maxMilliseconds: 100,
  maxPeakBytes: 300 * 1024 ** 2,
} as const;

/** What a file was answered with, and what that took. */
export interface MeasuredFile {
  /** Enough to build the file again: the format, the kind of attack, the seed. */
  readonly name: string;
  readonly sizeBytes: number;
  /** `failed`: anything thrown but a sentence for the user. */
  readonly outcome: 'accepted' | 'refused' | 'failed';
  /** The sentence, or the error. */
  readonly reason: string;
  /** Wall time. */
  readonly milliseconds: number;
  /** Growth of the process from before the file to its highest point. */
  readonly peakBytes: number;
}

const MEGABYTE = 1024 ** 2;
/** Garbage of earlier files would hide what a file takes: more than so much is collected first. */
const MAX_GARBAGE_BYTES = 32 * MEGABYTE;
/** Another program can hold the processor, and the first file of a format compiles code: the least of these counts. */
const ATTEMPTS = 3;
const WORST = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heapBytes = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

/** Resets the high-water mark of resident memory, where the system has one that can be reset: Linux. */
const resetResidentPeak = (): boolean => {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false;
  }
};

const residentPeak = (): number => {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

let heapAfterCollection = 0;

const collectWhereMuch = (): void => {
  if (heapBytes() - heapAfterCollection < MAX_GARBAGE_BYTES) return;
  collectGarbage();
  heapAfterCollection = heapBytes();
};

type Answer = Pick<MeasuredFile, 'outcome' | 'reason'>;

const answerOf = async (run: () => Promise<unknown>): Promise<Answer> => {
  try {
    await run();
    return { outcome: 'accepted', reason: '' };
  } catch (error) {
    if (error instanceof UnreadableFile) return { outcome: 'refused', reason: error.publicSentence };
    return {
      outcome: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
};

/**
 * The highest point of heap and array buffers lies right before a collection or at the end; native memory shows in the
 * resident set alone. The larger growth counts.
 */
const measureOnce = async (
  run: () => Promise<unknown>,
): Promise<Answer & Pick<MeasuredFile, 'milliseconds' | 'peakBytes'>> => {
  collectWhereMuch();
  const residentBefore = process.memoryUsage.rss();
  const hasResidentPeak = resetResidentPeak();
  const heapBefore = heapBytes();
  const profiler = new GCProfiler();
  profiler.start();
  const started = performance.now();
  const answer = await answerOf(run);
  const milliseconds = performance.now() - started;
  const heapPeak = profiler
    .stop()
    .statistics.map(({ beforeGC: { heapStatistics } }) => heapStatistics)
    .reduce(
      (peak, { usedHeapSize, externalMemory }) => Math.max(peak, usedHeapSize + externalMemory),
      heapBytes(),
    );
  const resident = hasResidentPeak ? residentPeak() - residentBefore : 0;
  return { ...answer, milliseconds, peakBytes: Math.max(0, heapPeak - heapBefore, resident) };
};

/** Whether a file took more than the budget; files above the budget's size may. */
export const isOverBudget = ({ sizeBytes, milliseconds, peakBytes }: MeasuredFile): boolean =>
  sizeBytes <= FILE_BUDGET.maxFileBytes &&
  (milliseconds > FILE_BUDGET.maxMilliseconds || peakBytes > FILE_BUDGET.maxPeakBytes);

/**
 * Runs a reader on a file and measures what it takes. A file over the budget is run again, and the least time counts.
 *
 * @param name see {@link MeasuredFile}
 * @param run refuses the file by an `UnreadableFile`
 */
export const measureFile = async (
  name: string,
  bytes: Uint8Array,
  run: (bytes: Uint8Array) => Promise<unknown>,
): Promise<MeasuredFile> => {
  const measure = async (): Promise<MeasuredFile> => ({
    name,
    sizeBytes: bytes.length,
    ...(await measureOnce(() => run(bytes))),
  });
  let best = await measure();
  for (let attempt = 1; attempt < ATTEMPTS && isOverBudget(best); attempt += 1) {
    const { milliseconds, peakBytes, ...again } = await measure();
    best = {
      ...again,
      milliseconds: Math.min(best.milliseconds, milliseconds),
      peakBytes: Math.min(best.peakBytes, peakBytes),
    };
  }
  return best;
};

const rowOf = ({ name, sizeBytes, outcome, milliseconds, peakBytes }: MeasuredFile): string =>
  [
    `${milliseconds.toFixed(1)} ms`.padStart(11),
    `${(peakBytes / MEGABYTE).toFixed(1)} MB`.padStart(10),
    `${Math.ceil(sizeBytes / 1024)} kB`.padStart(9),
    outcome.padEnd(9),
    name,
  ].join('  ');

/** Prints the ten files that took longest, and the ten that took most memory. */
export const printWorst = (files: readonly MeasuredFile[]): void => {
  for (const [title, figure] of [
    ['Longest', 'milliseconds'],
    ['Most memory', 'peakBytes'],
  ] as const) {
    const worst = [...files].sort((a, b) => b[figure] - a[figure]).slice(0, WORST);
    console.log([`${title} of ${files.length} files:`, ...worst.map(rowOf)].join('\n'));
  }
};
