const READERS = ['getUint8', 'getUint16', 'getUint32', 'getInt32', 'getBigUint64'] as const;

/**
 * Counts the numbers that are read through `DataView`s while something runs: what a parser does, whatever the machine's
 * speed.
 */
export const countReads = async (run: () => Promise<unknown>): Promise<number> => {
  let reads = 0;
  const originals = READERS.map((name) => [name, DataView.prototype[name]] as const);
  for (const [name, original] of originals) {
    const counted = function (this: DataView, ...args: readonly unknown[]): number | bigint {
      reads += 1;
      return Reflect.apply(original, this, args);
    };
    Object.defineProperty(DataView.prototype, name, { value: counted, configurable: true, writable: true });
  }
  try {
    await run();
  } finally {
    for (const [name, value] of originals) {
      Object.defineProperty(DataView.prototype, name, { value, configurable: true, writable: true });
    }
  }
  return reads;
};
