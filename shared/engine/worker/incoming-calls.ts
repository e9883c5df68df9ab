import type { CallMessage, Port, WireArgument } from './messages';
import type { OutgoingCalls } from './outgoing-calls';
import { toSentError } from './sent-error';
import { buffersOf, type Methods } from './sent-values';

/** The calls that one side answers. */
export interface IncomingCalls {
  answer(call: CallMessage): Promise<void>;
  abort(id: number): void;
}

export const createIncomingCalls = (
  port: Port,
  served: Methods,
  outgoing: Pick<OutgoingCalls, 'start' | 'offersOf'>,
): IncomingCalls => {
  const running = new Map<number, AbortController>();

  const fromWire = (id: number, arg: WireArgument, signal: AbortSignal): unknown => {
    switch (arg.kind) {
      case 'value':
        return arg.value;
      case 'signal':
        return signal;
      case 'progress':
        return (progress: unknown) => port.postMessage({ type: 'progress', id, progress }, []);
      case 'offer': {
        const methods = arg.methods.map((name) => {
          return [name, (...args: unknown[]) => outgoing.start(name, args, id)] as const;
        });
        return { ...arg.data, ...Object.fromEntries(methods) };
      }
    }
  };

  const run = ({ id, of, method, args }: CallMessage, signal: AbortSignal): unknown => {
    const work = (of === undefined ? served : outgoing.offersOf(of))[method];
    if (!work) throw new Error(`no method ${method} can be called${of === undefined ? '' : ' any more'}`);
    return work(...(args.map((arg) => fromWire(id, arg, signal)) as never[]));
  };

  return {
    answer: async (call) => {
      const { id } = call;
      const controller = new AbortController();
      running.set(id, controller);
      try {
        const value = await run(call, controller.signal);
        port.postMessage({ type: 'result', id, value }, buffersOf([value]));
      } catch (error) {
        port.postMessage({ type: 'failure', id, error: toSentError(error) }, []);
      } finally {
        running.delete(id);
      }
    },
    abort: (id) => running.get(id)?.abort(),
  };
};
