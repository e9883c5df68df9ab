import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_LIMIT_MS, startWaitingVersion } from './page-worker';

const open = ({ isWaiting = true, isReachable = true } = {}) => {
  const calls: string[] = [];
  const container = new EventTarget();
  const waiting = {
    postMessage: ({ type }: { type: string }) => calls.push(type),
  } as unknown as ServiceWorker;
  startWaitingVersion({
    registration: {
      waiting: isWaiting ? waiting : null,
      unregister: async () => calls.push('unregister') > 0,
    },
    container,
    isReachable: async () => isReachable,
    reload: () => calls.push('reload'),
  });
  return { calls, start: () => container.dispatchEvent(new Event('controllerchange')) };
};

describe('a waiting version', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('takes over, and the page is reloaded once when it has started', async () => {
    const { calls, start } = open();
    expect(calls).toEqual(['veil-take-over']);
    start();
    await vi.advanceTimersByTimeAsync(START_LIMIT_MS);
    expect(calls).toEqual(['veil-take-over', 'reload']);
  });

  it('is registered again if the browser does not start it', async () => {
    const { calls } = open();
    await vi.advanceTimersByTimeAsync(START_LIMIT_MS - 1);
    expect(calls).toEqual(['veil-take-over']);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['veil-take-over', 'unregister', 'reload']);
  });

  it('stays registered while the host of the page cannot be reached', async () => {
    const { calls, start } = open({ isReachable: false });
    await vi.advanceTimersByTimeAsync(START_LIMIT_MS);
    expect(calls).toEqual(['veil-take-over']);
    start();
    expect(calls).toEqual(['veil-take-over', 'reload']);
  });

  it('that another tab has started only needs a reload', () => {
    expect(open({ isWaiting: false }).calls).toEqual(['reload']);
  });
});
