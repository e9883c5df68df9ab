import type { System } from '#shared/ports/system';

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const system = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => crypto.randomUUID(),
  sha256: async (bytes) =>
    toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))),
} satisfies System;
