import { RefusedRequest, type ApiClient } from '#shared/api/client';
import { createStore, type Store } from './store';

/** Whether files go to a server, and with which token. Never remembered: a page that is opened anew sends nothing. */
export type ServerUse =
  | { readonly isOn: false }
  /** `signal`: aborted when it is switched off. */
  | { readonly isOn: true; readonly token: string; readonly signal: AbortSignal };

export interface ServerChoice {
  readonly use: Pick<Store<ServerUse, never>, 'get' | 'subscribe'>;
  /** The one address that this page can speak to. */
  readonly address: string;
  /** Whether a server answers there. */
  find(): Promise<boolean>;
  /** @returns why not, in a sentence; undefined where files go there from now on */
  turnOn(token: string): Promise<string | undefined>;
  turnOff(): void;
}

/** The way to a server. */
export interface ServerAccess {
  readonly address: string;
  find(): Promise<boolean>;
  /** @param token empty for none */
  client(token: string): ApiClient<File>;
}

export const createServerChoice = ({ address, find, client }: ServerAccess): ServerChoice => {
  const use = createStore<ServerUse, ServerUse>((_, next) => next, { isOn: false });
  let controller = new AbortController();
  return {
    use,
    address,
    find,
    turnOn: async (token) => {
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
      controller.abort(); // what is on its way stops
    },
  };
};
