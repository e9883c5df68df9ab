import { createContext, use } from 'react';
import type { SendRequest } from '#shared/api/client';

/** Who answers: the engine inside this tab, or the server that the page came from. */
export type Target = 'tab' | 'server';

/** What every operation's form works with. */
export interface TryIt {
  readonly send: SendRequest<File>;
  /** Sent along; empty for none. */
  readonly token: string;
  /** Address that commands and examples name, without a trailing slash. */
  readonly base: string;
  /** The task of the last upload: other operations offer it. */
  readonly taskId: string;
  readonly keepTaskId: (id: string) => void;
}

const Context = createContext<TryIt | null>(null);
export const TryItProvider = Context.Provider;

export const useTryIt = (): TryIt => {
  const services = use(Context);
  if (!services) throw new Error('The reference is rendered without its services');
  return services;
};
