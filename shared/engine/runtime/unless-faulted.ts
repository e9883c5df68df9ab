/**
 * Ends waiting when what is waited for can no longer answer.
 *
 * `Promise.race` against one promise that lives long keeps every answer alive with it: it never releases its reactions.
 * This function releases each answer as soon as it is there.
 *
 * @param fault rejects when nothing is answered any more
 * @returns settles as the work does, or rejects as `fault` does if that comes first
 */
export const unlessFaulted = (fault: Promise<never>): (<T>(work: Promise<T>) => Promise<T>) => {
  const waiting = new Set<(reason: unknown) => void>();
  let fallen: { readonly reason: unknown } | undefined;
  fault.catch((reason: unknown) => {
    fallen = { reason };
    for (const reject of waiting) reject(reason);
    waiting.clear();
  });
  return (work) =>
    new Promise((resolve, reject) => {
      if (fallen) reject(fallen.reason);
      else waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
};
