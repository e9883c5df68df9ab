/**
 * Work that may run several times, see `Engine.retrying`.
 *
 * @param clean removes what an earlier run has written; called before each run but the first
 */
export const repeatedWork = (
  clean: () => Promise<void>,
  work: () => Promise<void>,
): (() => Promise<void>) => {
  let isRepeated = false;
  return async () => {
    if (isRepeated) await clean();
    isRepeated = true;
    await work();
  };
};
