import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UnreadableFile } from '#shared/domain/failure';

/** What a step may take with one file. */
export interface FileBudget {
  readonly maxMilliseconds: number;
  readonly maxPeakBytes: number;
}

/** Of a file of up to 1 MB until it is refused, or its header accepted. */
export const FILE_BUDGET: FileBudget = { maxMilliseconds: 100, maxPeakBytes: 300 * 1024 ** 2 };

/** What a file was answered with, and what that took. */
export interface MeasuredFile {
  /** Enough to build the file again: the format, the kind of attack, the seed. */
  readonly name: string;
  readonly sizeBytes: number;
  /** `failed`: anything thrown but a sentence for the user. */
  readonly outcome: 'accepted' | 'refused' | 'failed';
  /** The sentence, or the error. */
  readonly reason: string;
  /** Wall time, or the processor's where that is less: other programs take their share of the machine. */
  readonly milliseconds: number;
  /** Growth of the process from before the file to its highest point. */
  readonly peakBytes: number;
}

const MEGABYTE = 1024 ** 2;
/** Garbage of earlier files would hide what a file takes: more than so much is collected first. */
const MAX_GARBAGE_BYTES = 32 * MEGABYTE;
/** The first file of a format loads and compiles code: the least of these counts. */
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
  const usedBefore = process.cpuUsage();
  const answer = await answerOf(run);
  const { user, system } = process.cpuUsage(usedBefore);
  const milliseconds = Math.min(performance.now() - started, (user + system) / 1000);
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

/** Whether a file took more than the budget. */
export const isOverBudget = (
  { milliseconds, peakBytes }: MeasuredFile,
  { maxMilliseconds, maxPeakBytes }: FileBudget = FILE_BUDGET,
): boolean => milliseconds > maxMilliseconds || peakBytes > maxPeakBytes;

/**
 * Runs a reader on a file and measures what it takes. A file over the budget is run again, and the least counts.
 *
 * @param name see {@link MeasuredFile}
 * @param run refuses the file by an `UnreadableFile`
 */
export const measureFile = async (
  name: string,
  bytes: Uint8Array,
  run: (bytes: Uint8Array) => Promise<unknown>,
  budget: FileBudget = FILE_BUDGET,
): Promise<MeasuredFile> => {
  const measure = async (): Promise<MeasuredFile> => ({
    name,
    sizeBytes: bytes.length,
    ...(await measureOnce(() => run(bytes))),
  });
  let best = await measure();
  for (let attempt = 1; attempt < ATTEMPTS && isOverBudget(best, budget); attempt += 1) {
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

/** Prints the ten files that took longest, and the ten that took most memory. @param title what was measured */
export const printWorst = (files: readonly MeasuredFile[], title: string): void => {
  for (const [worstBy, figure] of [
    ['longest', 'milliseconds'],
    ['most memory', 'peakBytes'],
  ] as const) {
    const worst = [...files].sort((a, b) => b[figure] - a[figure]).slice(0, WORST);
    console.log([`\n${title}, ${worstBy} of ${files.length} files:`, ...worst.map(rowOf)].join('\n'));
  }
};
