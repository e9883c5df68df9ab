/** A repeatable pseudo-random generator. */
export interface Random {
  /** Uniformly distributed between the two. */
  between(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: the same seed gives the same sequence. All repeatable random numbers of this project use it. */
export const createRandom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    between: (from, to) => from + (to - from) * next(),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  };
};
