import { sha256 } from '@noble/hashes/sha2.js';
import type { System } from '#shared/ports/system';
import { toHex } from '#shared/report/hex';

export const system = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => crypto.randomUUID(),
  sha256: async (bytes) =>
    toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))),
  /** `crypto.subtle` digests only bytes that are all in memory, and a video may be larger than memory. */
  startSha256: () => {
    const running = sha256.create();
    return {
      update: (bytes) => void running.update(bytes),
      digest: async () => toHex(running.digest()),
    };
  },
} satisfies System;
