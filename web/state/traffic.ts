import type { SentRequest } from '../service-worker/protocol';
import { createStore, type Store } from './store';

/** What left this page since it was opened. */
export interface Traffic {
  /** False until every request is seen; where the browser cannot show them, it stays so. */
  readonly isCounted: boolean;
  readonly sentBytes: number;
  readonly requestCount: number;
  /** The latest, newest first. */
  readonly requests: readonly SentRequest[];
}

export interface TrafficSource {
  /** Resolves when every request is seen. */
  readonly ready: Promise<void>;
  onSent(listener: (request: SentRequest) => void): void;
}

/** Enough to read; the sums go on. */
const MAX_LISTED = 100;

export const countRequest = (traffic: Traffic, request: SentRequest): Traffic => ({
  ...traffic,
  sentBytes: traffic.sentBytes + request.bytes,
  requestCount: traffic.requestCount + 1,
  requests: [request, ...traffic.requests].slice(0, MAX_LISTED),
});

/** Counts what the page sends, from when on the source sees it. */
export const startTraffic = (source: TrafficSource): Pick<Store<Traffic, never>, 'get' | 'subscribe'> => {
  const store = createStore<Traffic, Traffic>((_, next) => next, {
    isCounted: false,
    sentBytes: 0,
    requestCount: 0,
    requests: [],
  });
  source.onSent((request) => store.send(countRequest(store.get(), request)));
  source.ready.then(
    () => store.send({ ...store.get(), isCounted: true }),
    () => undefined,
  );
  return store;
};
