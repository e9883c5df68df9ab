import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handleClosedTab } from './closed-tabs';
import { RELOAD_MS } from './protocol';

const removed: string[] = [];
const held = new Set<string>();

type Granted = (lock: object | null) => unknown;
const worker = {
  navigator: {
    locks: {
      request: async (name: string, _options: object, granted: Granted) =>
        granted(held.has(name) ? null : {}),
    },
    storage: { getDirectory: async () => ({ removeEntry: async (name: string) => void removed.push(name) }) },
  },
};

/** Longer than any waiting time before a folder is removed. */
const LONG_MS = 3 * RELOAD_MS;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('self', worker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  removed.length = 0;
  held.clear();
});

describe('the folder of a closed tab', () => {
  it('is removed if the tab does not come back', async () => {
    void handleClosedTab('closed', false);
    await vi.advanceTimersByTimeAsync(RELOAD_MS - 1);
    expect(removed).toEqual([]);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(removed).toEqual(['closed']);
  });

  it('is removed if the page has not ended when the time for a reload is over, but soon after', async () => {
    held.add('slow');
    void handleClosedTab('slow', false);
    await vi.advanceTimersByTimeAsync(RELOAD_MS + 2_500);
    held.delete('slow');
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(removed).toEqual(['slow']);
  });

  it('stays if a page holds its lock again, or if it is to be kept', async () => {
    held.add('reloaded');
    void handleClosedTab('reloaded', false);
    void handleClosedTab('kept', true);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(removed).toEqual([]);
  });

  it('stays while the tab loads another page, although it was reported as left before', async () => {
    void handleClosedTab('reading on', false);
    await vi.advanceTimersByTimeAsync(RELOAD_MS - 1);
    void handleClosedTab('reading on', false);
    await vi.advanceTimersByTimeAsync(RELOAD_MS - 1);
    held.add('reading on');
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(removed).toEqual([]);
  });

  it('stays if another report arrives after the lock was found free', async () => {
    void handleClosedTab('reading on', false);
    await vi.advanceTimersByTimeAsync(RELOAD_MS);
    void handleClosedTab('reading on', true);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(removed).toEqual([]);
  });
});
