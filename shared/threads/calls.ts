/** A function among the arguments of a call. */
export type Offer = (...args: unknown[]) => unknown;

/** Functions among the arguments by their places: `2` is the third argument, `1.source.read` is in the second. */
export type Offers = Readonly<Record<string, Offer>>;

/**
 * Reason of `SentCall.signal` when the call was not aborted, but is over, and of `SentCall.over`. Without a reason each
 * call would make an error with a stack trace.
 */
export const ANSWERED = Symbol('answered');

/** A call as it is sent: functions and signals cannot be, so the other side makes its own. */
export interface SentCall {
  readonly method: string;
  /** The arguments without functions, and without the signal, which is always the last one. */
  readonly data: unknown[];
  readonly offers: Offers;
  /** Of a call with a signal. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the other side has answered or ended. */
  readonly over: AbortSignal;
}

/** Calls a method of another thread or process by its name. */
export type RemoteCall = (method: string, args: readonly unknown[]) => Promise<unknown>;

/** The calls to one other thread or process. */
export interface Calls {
  /**
   * When a signal among the arguments aborts, the call rejects at once with its reason, although the other side may
   * need to finish a step before it stops.
   *
   * @throws the first error of a function among the arguments, as it was thrown: the answer is a consequence of it
   */
  readonly call: RemoteCall;
  /** Number of calls that the other side has not answered, aborted ones among them. */
  pending(): number;
  /** Resolves when the other side has answered all calls, or has ended. */
  idle(): Promise<void>;
  /** Aborts all calls. */
  abort(reason: unknown): void;
  /** Rejects all calls and all later ones, because the other side answers no more. */
  end(reason: unknown): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Levels of objects in an argument that are searched for functions: the source of a job's detections is the deepest. */
const DEPTH = 3;

const takeOffers = (value: unknown, place: string, offers: Record<string, Offer>, depth = DEPTH): unknown => {
  if (typeof value === 'function') {
    offers[place] = value as Offer;
    return undefined;
  }
  if (depth === 0 || !isRecord(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    return [name, takeOffers(part, `${place}.${name}`, offers, depth - 1)] as const;
  });
  return Object.fromEntries(parts);
};

/** Puts functions in their places that call those of the other side. */
export const placeOffers = (
  data: readonly unknown[],
  places: readonly string[],
  call: (place: string, args: readonly unknown[]) => unknown,
): readonly unknown[] => {
  for (const place of places) {
    const names = place.split('.');
    const last = names.pop()!;
    const owner = names.reduce((part: object, name) => Reflect.get(part, name) as object, data);
    Reflect.set(owner, last, (...args: unknown[]) => call(place, args));
  }
  return data;
};

/** @throws Error if the object has no method of this name itself: what it inherits is not for others */
export const runMethod = (served: object, method: string, args: readonly unknown[]): unknown => {
  const work: unknown = Object.hasOwn(served, method) && Reflect.get(served, method);
  if (typeof work !== 'function') throw new Error(`no method ${method} can be called`);
  return (work as Offer)(...args);
};

/** A function that is an argument itself reports progress: nobody awaits it. Others are files. */
export const isProgress = (place: string): boolean => !place.includes('.');

/** A failed read is repeated, and the last failure ends the work anyway. */
const isRepeated = (place: string): boolean => place.endsWith('.read');

/** What is no method. */
type Facts<T> = {
  readonly [Name in keyof T as T[Name] extends (...args: never[]) => unknown ? never : Name]: T[Name];
};

/**
 * All methods of an interface as calls, without a list of their names: the interface is the only one.
 *
 * @param own what is no call, or more than one. Only this can be spread, so spreading fails
 */
export const methodsBy = <T extends object>(
  call: RemoteCall,
  own: Partial<T> & Facts<T> = {} as Partial<T> & Facts<T>,
): T =>
  new Proxy(own, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      if (typeof name !== 'string' || name === 'then') return undefined; // `await` asks for it
      return (...args: unknown[]) => call(name, args);
    },
    ownKeys: () => {
      throw new TypeError('The methods of another thread have no list.');
    },
  }) as T;

/** The functions until the call is over. @param onFault called when one of them fails for good */
const guard = (offers: Offers, call: AbortSignal, onFault: (error: unknown) => void): Offers => {
  const guarded = Object.entries(offers).map(([place, work]) => {
    const run = async (...args: unknown[]): Promise<unknown> => {
      if (call.aborted) throw new Error('The call is over, and its functions with it.');
      try {
        return await work(...args);
      } catch (error) {
        if (!isProgress(place) && !isRepeated(place)) onFault(error);
        throw error;
      }
    };
    return [place, run] as const;
  });
  return Object.fromEntries(guarded);
};

type Send = (call: SentCall) => Promise<unknown>;
type RunningCall = Pick<Calls, 'abort' | 'end'>;

/** @param track told when the call begins, and when the other side has answered or ended */
const startCall = (
  send: Send,
  method: string,
  args: readonly unknown[],
  track: (call: RunningCall, isOver: boolean) => void,
): Promise<unknown> => {
  const last = args.at(-1);
  const signal = last instanceof AbortSignal ? last : undefined;
  signal?.throwIfAborted();
  const offers: Record<string, Offer> = {};
  const data = args.slice(0, signal && -1).map((arg, index) => takeOffers(arg, `${index}`, offers));
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const over = new AbortController();
    let fault: { readonly error: unknown } | undefined;
    const fail = (error: unknown): void => reject((fault ? fault.error : error) as Error);
    const abort = (reason: unknown): void => {
      stop.abort(reason);
      fail(reason);
    };
    const onAbort = (): void => abort(signal?.reason);
    const finish = (): void => {
      if (over.signal.aborted) return;
      stop.abort(ANSWERED);
      over.abort(ANSWERED);
      signal?.removeEventListener('abort', onAbort); // one signal serves many calls
      track(call, true);
    };
    const end = (reason: unknown): void => {
      finish();
      fail(reason);
    };
    const call: RunningCall = { abort, end };
    track(call, false);
    signal?.addEventListener('abort', onAbort);
    const guarded = guard(offers, stop.signal, (error) => (fault ??= { error }));
    const sent = { method, data, offers: guarded, signal: signal && stop.signal, over: over.signal };
    send(sent).then((answer) => {
      finish();
      resolve(answer);
    }, end);
  });
};

/**
 * Keeps account of the calls to another thread or process.
 *
 * @param send resolves or rejects with the answer
 * @param onPending called with the number of unanswered calls after each change
 */
export const createCalls = (send: Send, onPending: (count: number) => void = () => undefined): Calls => {
  const running = new Set<RunningCall>();
  const whenIdle: (() => void)[] = [];
  let ended: { readonly reason: unknown } | undefined;
  const track = (call: RunningCall, isOver: boolean): void => {
    if (isOver) running.delete(call);
    else running.add(call);
    onPending(running.size);
    if (running.size === 0) for (const tell of whenIdle.splice(0)) tell();
  };
  return {
    call: async (method, args) => {
      if (ended) throw ended.reason;
      return startCall(send, method, args, track);
    },
    pending: () => running.size,
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    abort: (reason) => running.forEach((call) => call.abort(reason)),
    end: (reason) => {
      ended ??= { reason };
      running.forEach((call) => call.end(reason));
    },
  };
};
