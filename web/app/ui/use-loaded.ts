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
