import { transfer } from 'comlink';
import type { InferenceRuntime, InferenceSession, SessionOptions, Tensor } from '#shared/ports/inference';

/** One thread that runs models, as it is called from another. */
export interface Lane {
  /** @returns what the session is called by from now on */
  open(model: Uint8Array, options?: SessionOptions): Promise<number>;
  run(
    session: number,
    inputs: Readonly<Record<string, Tensor>>,
    wanted?: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  close(session: number): Promise<void>;
}

export const serveLane = (runtime: InferenceRuntime): Lane => {
  const sessions: InferenceSession[] = [];
  const find = (id: number): InferenceSession => {
    const session = sessions[id];
    if (!session) throw new Error(`there is no session ${id}`);
    return session;
  };
  return {
    open: async (model, options) => sessions.push(await runtime.createSession(model, options)) - 1,
    run: async (id, inputs, wanted) => {
      const outputs = await find(id).run(inputs, wanted);
      // A copy moves: the runtime's own memory cannot.
      const copies = Object.entries(outputs).map(
        ([name, { data, dims }]) => [name, { data: data.slice(), dims }] as const,
      );
      return transfer(
        Object.fromEntries(copies),
        copies.map(([, { data }]) => data.buffer),
      );
    },
    close: (id) => find(id).close(),
  };
};
