import type { Task } from '../../domain/task';
import type { ServiceSettings } from './settings';

/**
 * Runs jobs in order, and limits their number and the sum of the weights of those that run at the same time.
 *
 * `p-limit` limits only the number of jobs and has no weights.
 */
export interface WeightedQueue {
  /**
   * Settles like `work`. A job that fails does not stop later ones.
   *
   * @param weight share of the capacity; a job that is heavier than the whole capacity runs alone. A function is asked
   *   when the job could start, as it may have been called off until then
   */
  run<T>(work: () => Promise<T>, weight: number | (() => number), wait?: Wait): Promise<T>;
}

/** How a job waits. */
export interface Wait {
  /** Gives up a job that has not started: `run` rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Jobs with a higher one wait until no others do; 0 by default. */
  readonly rank?: number;
}

export interface QueueLimits {
  /** Maximum sum of the weights of jobs that run at the same time. */
  readonly capacity: number;
  /** Maximum number of jobs that run at the same time; undefined: no limit. */
  readonly slots?: number;
  /** How many lighter jobs may start before a job that waits for its room. */
  readonly maxOvertaking?: number;
}

/** Number of waiting jobs among which one is chosen, so that a choice takes the same time however many wait. */
const CHOICE = 32;

interface Waiting {
  readonly rank: number;
  weight(): number;
  start(): Promise<void>;
}

/** Behind all jobs of its rank. Searched from the end, where nearly all go however many wait. */
const insert = (waiting: Waiting[], job: Waiting): void => {
  waiting.splice(waiting.findLastIndex(({ rank }) => rank <= job.rank) + 1, 0, job);
};

export const createWeightedQueue = ({
  capacity,
  slots = Infinity,
  maxOvertaking = 0,
}: QueueLimits): WeightedQueue => {
  const waiting: Waiting[] = [];
  let running = 0;
  let taken = 0;
  /** Jobs with a weight that started while the first one waited. */
  let overtaking = 0;
  const fits = (weight: number): boolean => weight === 0 || taken === 0 || taken + weight <= capacity;
  /** The first job that may start. Jobs without a weight take no room from the first one. */
  const choose = (): number => {
    const mayOvertake = (weight: number): boolean =>
      maxOvertaking > 0 && (weight === 0 || overtaking < maxOvertaking);
    return waiting.slice(0, CHOICE).findIndex((job, index) => {
      const weight = job.weight();
      return fits(weight) && (index === 0 || mayOvertake(weight));
    });
  };
  const begin = (job: Waiting): void => {
    const weight = job.weight();
    running += 1;
    taken += weight;
    void job.start().finally(() => {
      running -= 1;
      taken -= weight;
      startNext();
    });
  };
  const startNext = (): void => {
    while (running < slots && waiting.length > 0) {
      const index = choose();
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      if (index === 0) overtaking = 0;
      else if (next.weight() > 0) overtaking += 1;
      begin(next);
    }
  };
  return {
    run: <T>(work: () => Promise<T>, weight: number | (() => number), { signal, rank = 0 }: Wait = {}) =>
      new Promise<T>((resolve, reject) => {
        signal?.throwIfAborted();
        const start = async (): Promise<void> => {
          signal?.removeEventListener('abort', leave);
          const ending = (async () => work())(); // also if it throws at once
          resolve(ending);
          await ending.catch(() => undefined);
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(job), 1);
          reject(signal?.reason as Error);
          startNext();
        };
        const job: Waiting = { rank, weight: typeof weight === 'number' ? () => weight : weight, start };
        signal?.addEventListener('abort', leave, { once: true });
        insert(waiting, job);
        startNext();
      }),
  };
};

/** Memory of an image in work, for each of its pixels: 12 to 17 bytes were measured at 50 and 134 megapixels. */
const BYTES_PER_PIXEL = 24;

/** So many smaller images may start while one waits for its room, so that they neither wait for it nor it for ever. */
const MAX_OVERTAKING = 32;

/**
 * Estimated bytes that a task takes while it is worked on. Videos take none: of these a few frames are in memory.
 *
 * What is not known counts as the largest that is accepted.
 */
export const memoryOf = (
  { kind, header }: Pick<Task, 'kind' | 'header'>,
  { maxPixels }: Pick<ServiceSettings['limits'], 'maxPixels'>,
): number => (kind === 'image' ? (header ? header.width * header.height : maxPixels) * BYTES_PER_PIXEL : 0);

/** Where tasks wait until there is room for their images. An image that is larger than the whole budget is alone. */
export const createImageQueue = (
  { memoryBudgetBytes = Infinity }: Pick<ServiceSettings, 'memoryBudgetBytes'>,
  slots = Infinity,
): WeightedQueue =>
  createWeightedQueue({ capacity: memoryBudgetBytes, slots, maxOvertaking: MAX_OVERTAKING });

/** Calls with the same key one after the other, in the order in which they are made. */
export const createSerialCalls = (): (<T>(key: string, call: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, call) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(call, call);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
};
