import { useEffect } from 'react';
import type { AppEvent } from '../../state/pictures';
import { useServices } from '../services';

/** Elements that handle arrow keys themselves. */
const TAKES_KEYS = 'input, select, textarea, [role="slider"], [role="listbox"]';

const EVENTS: Readonly<Record<string, AppEvent>> = {
  ArrowLeft: { type: 'stepped', by: -1 },
  ArrowRight: { type: 'stepped', by: 1 },
};

/** The left and right arrow keys select the previous and next file. */
export const usePictureKeys = (): void => {
  const { store } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const step = EVENTS[event.key];
      const isTaken = event.target instanceof Element && event.target.matches(TAKES_KEYS);
      if (!step || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      store.send(step);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [store]);
};
