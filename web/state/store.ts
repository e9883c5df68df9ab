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

/** @param select must return an identical value for the same state; otherwise the component renders endlessly */
export const useStore = <State, Value>(
  store: Pick<Store<State, never>, 'get' | 'subscribe'>,
  select: (state: State) => Value,
): Value => useSyncExternalStore(store.subscribe, () => select(store.get()));
