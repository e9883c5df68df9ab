import { RefusedRequest, type ApiClient } from '#shared/api/client';
import { createValue, type Readable } from './store';

/** Whether files go to a server, and with which token. Never stored: a page that is opened again sends nothing. */
export type ServerUse =
  | { readonly isOn: false }
  /** `signal` aborts when the server is switched off. */
  | { readonly isOn: true; readonly token: string; readonly signal: AbortSignal };

export interface ServerChoice {
  readonly use: Readable<ServerUse>;
  /** The only address to which this page can connect. */
  readonly address: string;
  /** Whether a server answers at that address. */
  find(): Promise<boolean>;
  /** @returns the reason for a refusal, in one sentence; undefined if files are sent to the server from now on */
  turnOn(token: string): Promise<string | undefined>;
  turnOff(): void;
}

/** Connection to a server. */
export interface ServerAccess {
  readonly address: string;
  find(): Promise<boolean>;
  /** @param token empty for none */
  client(token: string): ApiClient<File>;
}

/** Longer than a busy machine needs to start the service worker. */
const COUNTING_MS = 10_000;

/** Resolves when requests are counted, or when that may not be possible in this browser. */
const waitForCounting = async (counting: Promise<unknown>): Promise<void> => {
  const late = new Promise<void>((resolve) => setTimeout(resolve, COUNTING_MS));
  await Promise.race([counting.catch(() => undefined), late]);
};

/** @param counting resolves when requests of the page are counted: files are not sent before */
export const createServerChoice = (
  { address, find, client }: ServerAccess,
  counting: Promise<unknown>,
): ServerChoice => {
  const use = createValue<ServerUse>({ isOn: false });
  let controller = new AbortController();
  return {
    use,
    address,
    find,
    turnOn: async (token) => {
      await waitForCounting(counting);
      try {
        await client(token).status();
      } catch (cause) {
        return cause instanceof RefusedRequest ? cause.message : 'The server cannot be reached.';
      }
      controller = new AbortController();
      use.send({ isOn: true, token, signal: controller.signal });
      return undefined;
    },
    turnOff: () => {
      use.send({ isOn: false });
      controller.abort(); // aborts requests that are still running
    },
  };
};
