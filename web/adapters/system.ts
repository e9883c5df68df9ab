import type { System } from '#shared/ports/system';
import { toHex } from '#shared/report/hex';
import { startSha256 } from './sha256';

export const system = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => crypto.randomUUID(),
  sha256: async (bytes) =>
    toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))),
  startSha256,
} satisfies System;
