import type { AnswerMessage, Port } from './messages';
import { fromSentError } from './sent-error';
import { buffersOf, offersOf, toWire, type Methods } from './sent-values';

/** Who waits for the answer to a call. */
interface Caller {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  readonly offers: Methods;
}

/** The calls that one side makes. */
export interface OutgoingCalls {
  /** @param of the other side's call whose offers are meant; absent: the methods that the other side serves */
  start(method: string, args: readonly unknown[], of?: number): Promise<unknown>;
  /** Functions that may be called because of a call; none when it has settled. */
  offersOf(id: number): Methods;
  take(answer: AnswerMessage): void;
  pending(): number;
  idle(): Promise<void>;
  abort(reason: unknown): void;
  end(reason: unknown): void;
}

const isSignal = (arg: unknown): arg is AbortSignal => arg instanceof AbortSignal;
const isFunction = (arg: unknown): arg is (progress: unknown) => void => typeof arg === 'function';

interface Unanswered {
  add(id: number): void;
  /** @param id absent: all */
  remove(id?: number): void;
  count(): number;
  idle(): Promise<void>;
}

const createUnanswered = (onCount: (count: number) => void): Unanswered => {
  const ids = new Set<number>();
  const whenIdle: (() => void)[] = [];
  const changed = (): void => {
    onCount(ids.size);
    if (ids.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
  };
  return {
    add: (id) => {
      ids.add(id);
      changed();
    },
    remove: (id) => {
      if (id === undefined) ids.clear();
      else ids.delete(id);
      changed();
    },
    count: () => ids.size,
    idle: () => (ids.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  };
};

/** @param onPending called with the number of unanswered calls after each change */
export const createOutgoingCalls = (port: Port, onPending: (count: number) => void): OutgoingCalls => {
  /** Only of calls that have not settled: progress after the result reaches nobody. */
  const callers = new Map<number, Caller>();
  const unanswered = createUnanswered(onPending);
  let ended: { readonly reason: unknown } | undefined;
  let lastId = 0;

  /** The caller of a call that settles now. */
  const release = (id: number): Caller | undefined => {
    const caller = callers.get(id);
    callers.delete(id);
    return caller;
  };
  const abort = (id: number, reason: unknown): void => {
    port.postMessage({ type: 'abort', id }, []);
    release(id)?.reject(reason);
  };

  return {
    start: async (method, args, of) => {
      if (ended) throw ended.reason;
      const signal = args.find(isSignal);
      signal?.throwIfAborted();
      const id = ++lastId;
      const call = { type: 'call', id, method, args: args.map(toWire) } as const;
      port.postMessage(of === undefined ? call : { ...call, of }, buffersOf(args));
      unanswered.add(id);
      const onAbort = (): void => abort(id, signal?.reason);
      signal?.addEventListener('abort', onAbort);
      try {
        return await new Promise((resolve, reject) => {
          callers.set(id, { resolve, reject, onProgress: args.find(isFunction), offers: offersOf(args) });
        });
      } finally {
        signal?.removeEventListener('abort', onAbort); // one signal serves many calls
      }
    },
    offersOf: (id) => callers.get(id)?.offers ?? {},
    take: (answer) => {
      if (answer.type === 'progress') {
        callers.get(answer.id)?.onProgress?.(answer.progress);
        return;
      }
      const caller = release(answer.id);
      if (answer.type === 'result') caller?.resolve(answer.value);
      else caller?.reject(fromSentError(answer.error));
      unanswered.remove(answer.id);
    },
    pending: unanswered.count,
    idle: unanswered.idle,
    abort: (reason) => [...callers.keys()].forEach((id) => abort(id, reason)),
    end: (reason) => {
      ended ??= { reason };
      [...callers.keys()].forEach((id) => release(id)?.reject(reason));
      unanswered.remove();
    },
  };
};
