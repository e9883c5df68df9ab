/**
 * Writes values one after another. If several arrive during a write, only the newest is written.
 *
 * @param write handles its own errors
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
