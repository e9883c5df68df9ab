import { useSyncExternalStore } from 'react';

const subscribe = (notify: () => void): (() => void) => {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
};

/** Whether the page's URL ends in `#id`. */
export const useIsAddressed = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => location.hash === `#${id}`);
