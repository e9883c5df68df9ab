import { seededRandom } from '#shared/testing/rasters';

/** What is done to a cluster. Killed processes and services are started again after a second or less. */
export type Fault =
  | { readonly kind: 'kill-api' | 'kill-worker'; readonly index: number }
  | { readonly kind: 'kill-redis' | 'kill-postgres' | 'flush-redis' }
  | { readonly kind: 'suspend-worker'; readonly index: number; readonly forMs: number }
  | { readonly kind: 'files-read-only'; readonly forMs: number };

export interface TimedFault {
  readonly fault: Fault;
  /** How long a killed process stays ended. */
  readonly downMs: number;
}

/** How often each fault happens, and for how long. */
export interface FaultCounts {
  readonly apis: number;
  readonly workers: number;
  readonly redis: number;
  readonly postgres: number;
  readonly suspendMs: number;
  readonly readOnlyMs: number;
}

const MAX_DOWN_MS = 1_000;

const shuffle = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);

const repeat = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index));

/**
 * A repeatable order of faults. The first worker is suspended, at first, and the other ones are killed.
 *
 * @param processes numbers of API processes and of workers
 */
export const createSchedule = (
  seed: number,
  processes: { readonly apis: number; readonly workers: number },
  counts: FaultCounts,
): readonly TimedFault[] => {
  const random = seededRandom(seed);
  const choose = (from: number, count: number): number => from + Math.floor(random() * (count - from));
  const faults: Fault[] = [
    ...repeat(counts.apis, (): Fault => ({ kind: 'kill-api', index: choose(0, processes.apis) })),
    ...repeat(counts.workers, (): Fault => ({ kind: 'kill-worker', index: choose(1, processes.workers) })),
    ...repeat(counts.redis, (): Fault => ({ kind: 'kill-redis' })),
    ...repeat(counts.postgres, (): Fault => ({ kind: 'kill-postgres' })),
    { kind: 'flush-redis' },
    { kind: 'files-read-only', forMs: counts.readOnlyMs },
  ];
  const first: Fault = { kind: 'suspend-worker', index: 0, forMs: counts.suspendMs };
  return [first, ...shuffle(faults, random)].map((fault) => ({ fault, downMs: random() * MAX_DOWN_MS }));
};
