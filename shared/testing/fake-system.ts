import type { Log, System } from '../ports/system';
import { toHex } from '../report/byte-text';

const START_MS = Date.UTC(2026, 0, 1, 12);

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice())));

/** A system with counters instead of a clock and random numbers, so that results are repeatable. */
export const createFakeSystem = (): System => {
  let nowMs = START_MS;
  let ids = 0;
  return {
    nowMs: () => (nowMs += 1),
    elapsedMs: () => nowMs - START_MS,
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    sha256,
    startSha256: () => {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      return {
        update: (bytes) => void pieces.push(bytes.slice()),
        digest: async () => sha256(new Uint8Array(await new Blob(pieces).arrayBuffer())),
      };
    },
  };
};

export interface FakeLog extends Log {
  readonly causes: unknown[];
  readonly lines: { readonly message: string; readonly facts: unknown }[];
}

/** A log that keeps its lines. */
export const createFakeLog = (): FakeLog => {
  const causes: unknown[] = [];
  const lines: FakeLog['lines'] = [];
  const info: Log['info'] = (message, facts) => void lines.push({ message, facts });
  return { causes, lines, info, error: (_message, cause) => void causes.push(cause) };
};
