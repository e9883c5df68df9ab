import { createIncomingCalls } from './incoming-calls';
import type { EndCause, Message, Port } from './messages';
import { createOutgoingCalls, type OutgoingCalls } from './outgoing-calls';
import type { Methods } from './sent-values';

type ArgsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
type ResultOf<Method> = Method extends (...args: never[]) => infer Result ? Awaited<Result> : never;

/**
 * Calls a method of the other side.
 *
 * At most one argument is a function, which receives progress, and at most one an `AbortSignal`. When that aborts, the
 * call rejects at once with its reason, although the other side may need to finish a step before it stops.
 *
 * @throws UnreadableFile, or an `Error` with the name and the message of the other side's error
 */
export type RemoteCall<Served> = <Name extends keyof Served & string>(
  method: Name,
  ...args: ArgsOf<Served[Name]>
) => Promise<ResultOf<Served[Name]>>;

/** The calling end of a port. */
export interface Connection<Served> extends Pick<OutgoingCalls, 'pending' | 'idle' | 'abort' | 'end'> {
  readonly call: RemoteCall<Served>;
}

/** The serving end of a port. */
export interface Service {
  /** Reports that no more calls will be answered. */
  announceEnd(cause: EndCause, detail: string): void;
}

const open = (
  port: Port,
  served: Methods,
  onPending: (count: number) => void,
  onEnded: (cause: EndCause, detail: string) => void,
): OutgoingCalls => {
  const outgoing = createOutgoingCalls(port, onPending);
  const incoming = createIncomingCalls(port, served, outgoing);
  port.addEventListener('message', (event) => {
    const { data: message } = event as { readonly data: Message };
    if (message.type === 'call') void incoming.answer(message);
    else if (message.type === 'abort') incoming.abort(message.id);
    else if (message.type === 'ended') onEnded(message.cause, message.detail);
    else outgoing.take(message);
  });
  port.start?.();
  return outgoing;
};

/**
 * Calls methods over a port. In Node, the port keeps the process alive while a call waits for its answer.
 *
 * @param onEnded called when the other side reports that it will answer no more calls
 */
export const connect = <Served>(
  port: Port,
  onEnded: (cause: EndCause, detail: string) => void = () => undefined,
): Connection<Served> => {
  const keepAlive = (count: number): void => (count > 0 ? port.ref?.() : port.unref?.());
  const { start, ...calls } = open(port, {}, keepAlive, onEnded);
  keepAlive(0);
  return { ...calls, call: ((method, ...args) => start(method, args)) as RemoteCall<Served> };
};

/** Answers the calls that arrive at a port. */
export const serve = (port: Port, served: Methods): Service => {
  const ignore = (): void => undefined;
  open(port, served, ignore, ignore);
  return { announceEnd: (cause, detail) => port.postMessage({ type: 'ended', cause, detail }, []) };
};
