import { mkdirSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest work: an installation by apt. */
const LIMIT_MS = 420_000;
const RETRY_MS = 100;

/** Runs a function while no other process runs one with the same lock. @param lock folder that exists meanwhile */
export const withLock = async (lock: string, run: () => void | Promise<void>): Promise<void> => {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await sleep(RETRY_MS);
    }
  }
  try {
    await run();
  } finally {
    rmdirSync(lock);
  }
};
