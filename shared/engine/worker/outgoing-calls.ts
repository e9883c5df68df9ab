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
  /** Number of calls that the other side has not answered, aborted ones among them. */
  pending(): number;
  /** Resolves when the other side has answered all calls, or has ended. */
  idle(): Promise<void>;
  /** Aborts all calls. */
  abort(reason: unknown): void;
  /** Rejects all calls and all later ones, because the other side answers no more. */
  end(reason: unknown): void;
}

const isSignal = (arg: unknown): arg is AbortSignal => arg instanceof AbortSignal;
const isFunction = (arg: unknown): arg is (progress: unknown) => void => typeof arg === 'function';

/** @param onPending called with the number of unanswered calls after each change */
export const createOutgoingCalls = (port: Port, onPending: (count: number) => void): OutgoingCalls => {
  /** The unanswered calls; without their caller where that was rejected by an abort. */
  const calls = new Map<number, Caller | undefined>();
  const whenIdle: (() => void)[] = [];
  let ended: { readonly reason: unknown } | undefined;
  let lastId = 0;

  const remove = (id: number): Caller | undefined => {
    const caller = calls.get(id);
    calls.delete(id);
    onPending(calls.size);
    if (calls.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
    return caller;
  };
  const abort = (id: number, reason: unknown): void => {
    const caller = calls.get(id);
    if (!caller) return;
    calls.set(id, undefined);
    port.postMessage({ type: 'abort', id }, []);
    caller.reject(reason);
  };

  return {
    start: async (method, args, of) => {
      if (ended) throw ended.reason;
      const signal = args.find(isSignal);
      signal?.throwIfAborted();
      const id = ++lastId;
      const call = { type: 'call', id, method, args: args.map(toWire) } as const;
      port.postMessage(of === undefined ? call : { ...call, of }, buffersOf(args));
      const onAbort = (): void => abort(id, signal?.reason);
      signal?.addEventListener('abort', onAbort);
      try {
        return await new Promise((resolve, reject) => {
          calls.set(id, { resolve, reject, onProgress: args.find(isFunction), offers: offersOf(args) });
          onPending(calls.size);
        });
      } finally {
        signal?.removeEventListener('abort', onAbort); // one signal serves many calls
      }
    },
    offersOf: (id) => calls.get(id)?.offers ?? {},
    take: (answer) => {
      if (answer.type === 'progress') calls.get(answer.id)?.onProgress?.(answer.progress);
      else if (answer.type === 'result') remove(answer.id)?.resolve(answer.value);
      else remove(answer.id)?.reject(fromSentError(answer.error));
    },
    pending: () => calls.size,
    idle: () => (calls.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    abort: (reason) => [...calls.keys()].forEach((id) => abort(id, reason)),
    end: (reason) => {
      ended ??= { reason };
      [...calls.keys()].forEach((id) => remove(id)?.reject(reason));
    },
  };
};
