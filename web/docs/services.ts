import { createContext, use } from 'react';
import type { SendRequest } from '#shared/api/client';

/** Where requests run: in the engine of this tab, or on the server that the page was loaded from. */
export type Target = 'tab' | 'server';

/** Services of the operation forms. */
export interface TryIt {
  readonly send: SendRequest<File>;
  /** Bearer token of requests; empty for none. */
  readonly token: string;
  /** URL in commands and examples, without a trailing slash. */
  readonly base: string;
  /** Task id of the last upload, which other operations suggest. */
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
