import { sha256 } from '@noble/hashes/sha2.js';
import type { System } from '#shared/ports/system';
import { toHex } from '#shared/report/byte-text';
import { basicSystem } from './basic-system';

export const system = {
  ...basicSystem,
  /** `crypto.subtle` digests only bytes that are all in memory, and a video may be larger than memory. */
  startSha256: () => {
    const running = sha256.create();
    return {
      update: (bytes) => void running.update(bytes),
      digest: async () => toHex(running.digest()),
    };
  },
} satisfies System;
