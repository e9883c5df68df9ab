import type { SentRequest } from '../service-worker/protocol';
import { createStore, type Store } from './store';

/** Requests of this page since it was opened. */
export interface Traffic {
  /** False until all requests are counted; stays false if the browser does not support it. */
  readonly isCounted: boolean;
  readonly sentBytes: number;
  readonly requestCount: number;
  /** The latest requests, newest first. */
  readonly requests: readonly SentRequest[];
}

export interface TrafficSource {
  /** Resolves when all requests are counted. */
  readonly ready: Promise<void>;
  onSent(listener: (request: SentRequest) => void): void;
}

/** Number of listed requests; the sums include all. */
const MAX_LISTED = 100;

export const countRequest = (traffic: Traffic, request: SentRequest): Traffic => ({
  ...traffic,
  sentBytes: traffic.sentBytes + request.bytes,
  requestCount: traffic.requestCount + 1,
  requests: [request, ...traffic.requests].slice(0, MAX_LISTED),
});

/** Counts the requests of the page as soon as the source reports them. */
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
