import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLifecycle, loadModels, RETRY_MS } from './lifecycle';

const start = (failures: number) => {
  const lifecycle = createLifecycle();
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  let attempts = 0;
  const load = async (): Promise<void> => {
    attempts += 1;
    if (attempts <= failures) throw new Error('file system not mounted yet');
  };
  const ended = loadModels(load, lifecycle, log);
  return { lifecycle, log, ended, attempts: () => attempts };
};

describe('a server whose models cannot be loaded at the start', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tries again until they are loaded, and is ready then', async () => {
    const { lifecycle, log, ended } = start(2);
    await vi.advanceTimersByTimeAsync(2 * RETRY_MS - 1);
    expect(lifecycle.phase()).toBe('loading');
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(lifecycle.phase()).toBe('ready');
    expect(log.error).toHaveBeenCalledTimes(2);
  });

  it('stops trying when a task has loaded them', async () => {
    const { lifecycle, ended, attempts } = start(Infinity);
    await vi.advanceTimersByTimeAsync(1);
    lifecycle.modelsLoaded();
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await ended;
    expect(attempts()).toBe(1);
  });

  it('stops trying when it stops', async () => {
    const { lifecycle, ended, attempts } = start(Infinity);
    await vi.advanceTimersByTimeAsync(1);
    lifecycle.stopping();
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await ended;
    expect(attempts()).toBe(1);
    expect(lifecycle.phase()).toBe('stopping');
  });
});

it('a server that stops while it loads its models logs no fault', async () => {
  const lifecycle = createLifecycle();
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const load = async (): Promise<never> => {
    lifecycle.stopping();
    throw new Error('The server is stopping.');
  };
  await loadModels(load, lifecycle, log);
  expect(log.error).not.toHaveBeenCalled();
});
