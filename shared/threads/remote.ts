import { expose, releaseProxy, transfer, transferHandlers, wrap, type Endpoint } from 'comlink';
import { ANSWERED, createCalls, isProgress, placeOffers, runMethod, type Calls, type Offers } from './calls';
import { fromSentError, toSentError, type SentError } from './sent-error';

/** What a browser's `Worker`, its global scope, and the `MessagePort` of browsers and Node have in common. */
export interface Port {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: object) => void): void;
  /** Only ports have it: messages wait until then. */
  start?(): void;
  /** Only Node has them: a port that is referenced keeps the process alive. */
  ref?(): void;
  unref?(): void;
}

/** What a thread exposes. @param offered exposes the functions among the arguments, at `places` */
type Answer = (
  call: { readonly method: string; readonly places: readonly string[] },
  data: readonly unknown[],
  offered: MessagePort | undefined,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/** A port that closes with the call. The reason of the signal stays with the caller, who is told at once. */
transferHandlers.set('signal', {
  canHandle: (value): value is AbortSignal => value instanceof AbortSignal,
  serialize: (value) => {
    const signal = value as AbortSignal;
    const { port1, port2 } = new MessageChannel();
    const end = (): void => {
      if (signal.reason !== ANSWERED) port1.postMessage('abort');
      port1.close();
    };
    signal.addEventListener('abort', end, { once: true });
    return [port2, [port2]];
  },
  deserialize: (port) => {
    const controller = new AbortController();
    (port as MessagePort).onmessage = () => controller.abort();
    return controller.signal;
  },
});

/** Instead of comlink's own handler, with which errors lose their class and kind. */
transferHandlers.set('throw', {
  ...transferHandlers.get('throw')!,
  serialize: (thrown) => [toSentError((thrown as { readonly value: unknown }).value), []],
  deserialize: (sent) => {
    throw fromSentError(sent as SentError);
  },
});

const wholeBuffers = (value: unknown, depth: number): readonly ArrayBuffer[] => {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part) => wholeBuffers(part, depth - 1));
};

/**
 * Marks a value, so that its memory moves to the other side instead of being copied.
 *
 * A view of a part of a buffer is copied, because its other parts belong to somebody else. Shared memory stays shared.
 *
 * @param depth how far inside: the encoded masks of an image are in an object of its result
 */
const moving = <T>(value: T, depth = 2): T =>
  typeof value === 'object' && value !== null
    ? transfer(value, [...new Set(wholeBuffers(value, depth))])
    : value;

/** Exposes functions at a port of their own. It is closed here, because a thread that has died releases nothing. */
const exposeOffers = (offers: Offers, over: AbortSignal): MessagePort => {
  const { port1, port2 } = new MessageChannel();
  const exposed = Object.entries(offers).map(([place, work]) => {
    return [place, async (...args: unknown[]) => moving(await work(...args))] as const;
  });
  expose(Object.fromEntries(exposed), port1);
  over.addEventListener('abort', () => port1.close(), { once: true });
  return transfer(port2, [port2]);
};

/**
 * Calls the thread at the other end of a port.
 *
 * Bytes among the arguments move: a caller that goes on using them passes a copy. In Node, the port keeps the process
 * alive while a call waits for its answer.
 */
export const connect = (port: Port): Calls => {
  const remote = wrap<Answer>(port as Endpoint);
  const keepAlive = (count: number): void => (count > 0 ? port.ref?.() : port.unref?.());
  keepAlive(0);
  return createCalls(async ({ method, data, offers, signal, over }) => {
    const places = Object.keys(offers);
    const offered = places.length > 0 ? exposeOffers(offers, over) : undefined;
    return remote({ method, places }, moving(data, 3), offered, signal);
  }, keepAlive);
};

/**
 * Answers the calls that arrive at a port. To be called before anything is awaited: earlier messages are lost.
 *
 * @param find the object that has the method of this name, if any has
 * @param movesMemory whether results and written bytes are transferred instead of copied. In Node, a thread that hands
 * over memory for good works more slowly from then on (see `createInferenceWorkers`)
 */
export const serve = (
  port: Port,
  find: (method: string) => object | Promise<object>,
  movesMemory: boolean,
): void => {
  const sent = <T>(value: T): T => (movesMemory ? moving(value) : value);
  /** Muxers go on using their buffers. Not by `slice`: that of Node's buffers copies nothing. */
  const copied = (arg: unknown): unknown => (arg instanceof Uint8Array ? sent(new Uint8Array(arg)) : arg);
  const answer: Answer = async ({ method, places }, data, offered, signal) => {
    const offers = offered && wrap<Record<string, (...args: readonly unknown[]) => unknown>>(offered);
    let reported: Promise<unknown> | undefined;
    const ask = async (place: string, args: readonly unknown[]) => offers![place]!(...args.map(copied));
    const callBack = (place: string, args: readonly unknown[]): Promise<unknown> => {
      const answered = ask(place, args);
      return isProgress(place) ? (reported = answered.catch(() => undefined)) : answered;
    };
    try {
      const args = placeOffers(data, places, callBack);
      return sent(await runMethod(await find(method), method, signal ? [...args, signal] : args));
    } finally {
      await reported; // it has a port of its own, and arrives before the result
      offers?.[releaseProxy]();
    }
  };
  expose(answer, port as Endpoint);
};
