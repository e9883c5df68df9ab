import { useSyncExternalStore } from 'react';

/** State that only events change. */
export interface Store<State, Event> {
  get(): State;
  send(event: Event): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

export const createStore = <State, Event>(
  reduce: (state: State, event: Event) => State,
  initial: State,
): Store<State, Event> => {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    send: (event) => {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** A store that others change. */
export type Readable<State> = Pick<Store<State, never>, 'get' | 'subscribe'>;

/** State that each event replaces. */
export const createValue = <State>(initial: State): Store<State, State> =>
  createStore((_, next) => next, initial);

/**
 * Does what a store wants, one after another, and looks again after each change of the store.
 *
 * @param next undefined: nothing at the moment
 * @returns looks again
 */
export const workThrough = <Wanted>(
  store: Pick<Store<never, never>, 'subscribe'>,
  next: () => Wanted | undefined,
  work: (wanted: Wanted) => Promise<void>,
): (() => void) => {
  let isWorking = false;
  const workAll = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    for (let wanted = next(); wanted !== undefined; wanted = next()) await work(wanted);
    isWorking = false;
  };
  store.subscribe(() => void workAll());
  return () => void workAll();
};

/** @param select must return an identical value for the same state; otherwise the component renders endlessly */
export const useStore = <State, Value>(store: Readable<State>, select: (state: State) => Value): Value =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
