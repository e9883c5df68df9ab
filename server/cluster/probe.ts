import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Storage } from '#shared/ports/storage';

/** A hung network folder or a service that does not answer counts as unavailable after this time. */
const PROBE_MS = 8000;
/** A worker that takes many small tasks does not probe before each of them. */
const FRESH_MS = 2000;

class ProbeFailed extends Error {
  override readonly name: string = 'ProbeFailed';
}

class NoAnswer extends ProbeFailed {
  override readonly name = 'TimeoutError';
}

/** Writes a file, reads it and removes it. @throws where one of these fails */
export const tryStorage = async (storage: Storage): Promise<void> => {
  const folder = `output/probe-${randomUUID()}/`;
  const key = `${folder}probe`;
  const text = randomUUID();
  await storage.write(key, new TextEncoder().encode(text));
  const bytes = await storage.read(key);
  await storage.remove(folder);
  if (new TextDecoder().decode(bytes) !== text) {
    throw new ProbeFailed('A file could be written, and could not be read.');
  }
  if ((await storage.open(key)) !== undefined) throw new ProbeFailed('A file could not be removed.');
};

/** Checks a service, and answers in time. */
export interface Probe {
  /** @throws the reason why the service is not available, also where it does not answer in time */
  check(): Promise<void>;
  /** Whether the last check, which is not older than a few seconds, succeeded. */
  isAvailable(): Promise<boolean>;
}

/**
 * Creates a probe. One check runs at a time: a hung network folder blocks a thread for each of its calls.
 *
 * @param run rejects where the service is not available
 */
export const createProbe = (run: () => Promise<void>, timeoutMs = PROBE_MS): Probe => {
  let running: Promise<void> | undefined;
  let succeededMs = -Infinity;
  const runOnce = async (): Promise<void> => {
    try {
      await run();
      succeededMs = performance.now();
    } finally {
      running = undefined;
    }
  };
  const check = async (): Promise<void> => {
    running ??= runOnce();
    const answered = new AbortController();
    const timeout = wait(timeoutMs, undefined, { signal: answered.signal, ref: false }).then(() => {
      throw new NoAnswer(`No answer within ${timeoutMs / 1000} s.`);
    });
    // Ends by an error, too, when the answer comes in time.
    timeout.catch(() => undefined);
    try {
      await Promise.race([running, timeout]);
    } finally {
      answered.abort();
    }
  };
  return {
    check,
    isAvailable: async () => {
      if (performance.now() - succeededMs < FRESH_MS) return true;
      return check().then(
        () => true,
        () => false,
      );
    },
  };
};
