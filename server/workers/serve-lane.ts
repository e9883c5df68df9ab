import { transfer } from 'comlink';
import type { InferenceRuntime, InferenceSession, Tensor } from '#shared/ports/inference';

/** What a run leaves behind. */
export interface LaneRun {
  readonly outputs: Readonly<Record<string, Tensor>>;
  /** The memory of its inputs. */
  readonly inputs: readonly ArrayBuffer[];
}

/** One thread that runs models, as it is called from another. */
export interface Lane {
  /** @returns what the session is called by from now on */
  open(model: Uint8Array): Promise<number>;
  run(
    session: number,
    inputs: Readonly<Record<string, Tensor>>,
    wanted?: readonly string[],
  ): Promise<LaneRun>;
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
    open: async (model) => sessions.push(await runtime.createSession(model)) - 1,
    run: async (id, inputs, wanted) => {
      const outputs = await find(id).run(inputs, wanted);
      // A copy moves: the runtime's own memory cannot.
      const copies = Object.entries(outputs).map(
        ([name, { data, dims }]) => [name, { data: data.slice(), dims }] as const,
      );
      const used = Object.values(inputs).map(({ data }) => data.buffer as ArrayBuffer);
      return transfer({ outputs: Object.fromEntries(copies), inputs: used }, [
        ...copies.map(([, { data }]) => data.buffer),
        ...used,
      ]);
    },
    close: (id) => find(id).close(),
  };
};
