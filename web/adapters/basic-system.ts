import type { BasicSystem } from '#shared/ports/system';
import { toHex } from '#shared/report/byte-text';

/** What a browser has by itself. Workers need no more, and load no library for it. */
export const basicSystem = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => crypto.randomUUID(),
  sha256: async (bytes) =>
    toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))),
} satisfies BasicSystem;
