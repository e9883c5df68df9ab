/** Calls with the same key one after the other, in the order in which they are made. */
export const inOrder = (): (<T>(key: string, call: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, call) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(call, call);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
};
