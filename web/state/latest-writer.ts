/**
 * Writes what it is given, one after another; of what comes while a write is on, only the newest.
 *
 * @param write its failure is its own to tell
 */
export const createLatestWriter = <Value>(
  write: (value: Value) => Promise<void>,
): ((value: Value) => void) => {
  let next: { readonly value: Value } | undefined;
  let isWriting = false;
  const run = async (): Promise<void> => {
    isWriting = true;
    while (next) {
      const { value } = next;
      next = undefined;
      await write(value);
    }
    isWriting = false;
  };
  return (value) => {
    next = { value };
    if (!isWriting) void run();
  };
};
