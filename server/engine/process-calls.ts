import type { ChildProcess } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import {
  type RemoteCall,
  type Calls,
  type Offers,
  ANSWERED,
  createCalls,
  isProgress,
  placeOffers,
  runMethod,
} from '#shared/threads/calls';
import { fromSentError, toSentError } from '#shared/threads/sent-error';
import type { FromEngine, FromHost, Reply } from './messages';

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Questions of one side, until they are answered. */
const createQuestions = () => {
  const asked = new Map<number, Asked>();
  let lastId = 0;
  return {
    ask: (send: (id: number) => void): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        asked.set(id, { resolve, reject });
        send(id);
      }),
    take: (reply: Reply): void => {
      const { resolve, reject } = asked.get(reply.id) ?? {};
      asked.delete(reply.id);
      if (reply.type === 'result') resolve?.(reply.value);
      else reject?.(fromSentError(reply.error));
    },
  };
};

const answer = async (id: number, work: () => unknown, send: (reply: Reply) => void): Promise<void> => {
  try {
    send({ type: 'result', id, value: await work() });
  } catch (error) {
    send({ type: 'failure', id, error: toSentError(error) });
  }
};

/**
 * The host's end: calls, and answers what they ask for.
 *
 * @param check checks each message of the process, and throws where it is none that was agreed on
 * @param onBadMessage called with what it throws
 */
export const callEngine = (
  child: ChildProcess,
  check: (message: unknown) => FromEngine,
  onBadMessage: (error: unknown) => void,
): Calls => {
  const { ask, take } = createQuestions();
  const offered = new Map<number, Offers>();
  const send = (message: FromHost): void => {
    // An error means that the process has ended, which its `exit` event reports.
    if (child.connected) child.send(message, () => undefined);
  };
  const takeMessage = (message: FromEngine): void => {
    if (message.type !== 'call') return take(message);
    const { id, of, place, args } = message;
    void answer(id, () => runMethod(offered.get(of) ?? {}, place, args), send);
  };
  child.on('message', (message) => {
    try {
      takeMessage(check(message));
    } catch (error) {
      onBadMessage(error);
    }
  });
  return createCalls(({ method, data, offers, signal, over }) =>
    ask((id) => {
      const abort = (): void => {
        if (signal?.reason !== ANSWERED) send({ type: 'abort', id });
      };
      signal?.addEventListener('abort', abort, { once: true });
      over.addEventListener('abort', () => offered.delete(id), { once: true });
      offered.set(id, offers);
      send({ type: 'call', id, method, data, places: Object.keys(offers), hasSignal: signal !== undefined });
    }),
  );
};

/** The engine's end: answers calls. @param send posts a message to the host @returns takes the host's messages */
export const answerHost = (
  serve: RemoteCall,
  send: (message: FromEngine) => void,
): ((message: FromHost) => void) => {
  const { ask, take } = createQuestions();
  const running = new Map<number, AbortController>();
  const run = async ({ id, method, data, places, hasSignal }: FromHost & { type: 'call' }): Promise<void> => {
    const controller = new AbortController();
    // Each worker listens while it infers; Node would warn of a leak from the eleventh on.
    setMaxListeners(0, controller.signal);
    running.set(id, controller);
    const args = placeOffers(data, places, (place, given) => {
      const answered = ask((own) => send({ type: 'call', id: own, of: id, place, args: given }));
      return isProgress(place) ? answered.catch(() => undefined) : answered;
    });
    await answer(id, () => serve(method, hasSignal ? [...args, controller.signal] : args), send);
    running.delete(id);
  };
  return (message) => {
    if (message.type === 'call') void run(message);
    else if (message.type === 'abort') running.get(message.id)?.abort();
    else take(message);
  };
};
