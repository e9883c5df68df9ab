import { useEffect, useState } from 'react';

/**
 * Code that is loaded when it is first wanted, because the first load must stay small.
 *
 * `React.lazy` would end the whole page where the code cannot be loaded, for example without a network connection.
 *
 * @param load must stay the same function
 * @param onFailure called if it cannot be loaded; the next time that it is wanted, it is tried again
 * @returns undefined until it is loaded
 */
export const useLoaded = <Code>(
  isWanted: boolean,
  load: () => Promise<Code>,
  onFailure?: () => void,
): Code | undefined => {
  const [loaded, setLoaded] = useState<{ readonly code: Code }>();
  useEffect(() => {
    if (!isWanted) return;
    load().then(
      (code) => setLoaded({ code }),
      () => onFailure?.(),
    );
    // A new function for the failure is no reason to load again.
  }, [isWanted, load]);
  return isWanted ? loaded?.code : undefined;
};

/**
 * What is read for the values in `of`, and again when they change.
 *
 * @param read undefined: there is nothing to read
 * @param keepsLast whether what was read for the values before stays until the next is there
 * @returns undefined until it is read, and where it cannot be read
 */
export const useRead = <Value>(
  read: () => Promise<Value> | undefined,
  of: readonly unknown[],
  keepsLast = false,
): Value | undefined => {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    let isCurrent = true;
    const reading = read();
    if (!reading || !keepsLast) setValue(undefined);
    reading?.then(
      (done) => isCurrent && setValue(done),
      () => isCurrent && setValue(undefined),
    );
    return () => {
      isCurrent = false;
    };
    // A new function is no reason to read again.
  }, of);
  return value;
};
