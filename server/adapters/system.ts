import { createHash, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { System, Timer } from '#shared/ports/system';

export const timer = {
  after: (delayMs, work) => {
    const timeout = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timeout);
  },
} satisfies Timer;

export const system = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => randomUUID(),
  sha256: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
  startSha256: () => {
    const hash = createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digest: async () => hash.digest('hex') };
  },
} satisfies System;
