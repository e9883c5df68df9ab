import { setTimeout as sleep } from 'node:timers/promises';
import { asHttp } from '#shared/testing/multipart';
import { filePart } from '#shared/testing/conformance-steps';

/** A file that clients upload. */
export interface ChaosFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The client waits for the result. */
  readonly isAwaited: boolean;
}

/** What clients have seen. */
export interface ClientFigures {
  requests: number;
  /** Requests without an answer, because a process died. */
  broken: number;
  /** Requests that were not answered in time. */
  silent: number;
  /** Answers with an error, by status. */
  readonly refused: Map<number, number>;
  longestMs: number;
}

export const createFigures = (): ClientFigures => ({
  requests: 0,
  broken: 0,
  silent: 0,
  refused: new Map(),
  longestMs: 0,
});

const RETRY_MS = 300;
/** Longer than any limit of the service. */
const ANSWER_MS = 30_000;
const RESULT_MS = 180_000;
const TRIES = 400;

const requestOf = ({ name, contentType, bytes, isAwaited }: ChaosFile, key: string): RequestInit => {
  const { method, headers, body } = asHttp({
    method: 'POST',
    url: '/v1/file',
    headers: { 'idempotency-key': key, ...(isAwaited ? {} : { 'x-is-async': 'true' }) },
    parts: [filePart(bytes, name, contentType)],
  });
  return { method, headers, body: body as Uint8Array<ArrayBuffer> };
};

/** Whether a service cannot be reached, or files cannot be written: not a fault of the program. */
const isPassing = (status: number, body: string): boolean =>
  status === 503 || (status === 500 && body.includes('cannot write to its folders'));

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Uploads a file until it is acknowledged, always with the same idempotency key.
 *
 * @param origin called for each try
 * @returns the id of the task
 */
export const uploadUntilAcknowledged = async (
  file: ChaosFile,
  key: string,
  origin: () => string,
  figures: ClientFigures,
): Promise<string> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const startMs = performance.now();
    figures.requests += 1;
    try {
      const signal = AbortSignal.timeout(file.isAwaited ? RESULT_MS : ANSWER_MS);
      const response = await fetch(`${origin()}/v1/file`, { ...requestOf(file, key), signal });
      const text = await response.text();
      if (!file.isAwaited) figures.longestMs = Math.max(figures.longestMs, performance.now() - startMs);
      if (response.ok) return (JSON.parse(text) as { readonly id: string }).id;
      figures.refused.set(response.status, (figures.refused.get(response.status) ?? 0) + 1);
      if (!isPassing(response.status, text)) {
        throw new Error(`An upload was answered with ${response.status}: ${text}`);
      }
    } catch (error) {
      if (isTimeout(error)) figures.silent += 1;
      else if (error instanceof TypeError) figures.broken += 1;
      else throw error;
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`${file.name} was not acknowledged.`);
};
