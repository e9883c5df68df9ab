import { jsonOf, must, mustHaveStatus, type Answer, type Send, type SentPart } from './conformance';
import { blackPng, RAMP_JPEG } from './ramp-images';

/** Steps that several conformance cases share. */

export const filePart = (
  bytes: Uint8Array = RAMP_JPEG,
  filename = 'ramps.jpg',
  contentType = 'image/jpg',
): SentPart => ({ name: 'fileobject', filename, contentType, bytes });

export interface UploadOptions {
  readonly query?: string;
  readonly isAsync?: boolean;
  readonly idempotencyKey?: string;
  readonly parts?: readonly SentPart[];
}

export const upload = (
  send: Send,
  { query = '', isAsync = false, idempotencyKey, parts = [filePart()] }: UploadOptions = {},
): Promise<Answer> =>
  send({
    method: 'POST',
    url: `/v1/file${query && `?${query}`}`,
    headers: {
      ...(isAsync ? { 'x-is-async': 'true' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    parts,
  });

export const uploadedId = async (send: Send, options?: UploadOptions): Promise<string> =>
  jsonOf<{ id: string }>(await upload(send, options)).id;

export const get = (send: Send, url: string): Promise<Answer> => send({ method: 'GET', url });

/** Sends a body that claims to be JSON. */
export const putText = (
  send: Send,
  url: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  send({
    method: 'PUT',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(text),
  });

export const putJson = (
  send: Send,
  url: string,
  body: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> => putText(send, url, JSON.stringify(body), headers);

export const remove = (send: Send, url: string): Promise<Answer> => send({ method: 'DELETE', url });

const POLL_MS = 10;
const MAX_POLLS = 6_000;

/** Polls a task like a client until it has ended. @returns its last status */
export const waitForTask = async (send: Send, id: string): Promise<string> => {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const answer = await get(send, `/v1/task/${id}`);
    mustHaveStatus(answer, 200);
    const { status } = jsonOf<{ status: string }>(answer);
    if (status === 'done' || status === 'failed' || status === 'deleted') return status;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('The task does not end.');
};

/** An image that a host processes for far longer than a client needs to send it. */
export const WORK = filePart(blackPng(1_920, 1_080), 'work.png', 'image/png');

/** Queues images that keep any host busy for a short time. @returns their ids, oldest first */
export const keepBusy = async (send: Send, count = 3): Promise<string[]> => {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    ids.push(await uploadedId(send, { isAsync: true, parts: [WORK] }));
  }
  return ids;
};

/** Waits until tasks have ended, because other cases upload synchronously and need an idle host. */
export const waitForAll = async (send: Send, ids: readonly string[]): Promise<void> => {
  for (const id of ids) must((await waitForTask(send, id)) === 'done', 'task done', id);
};

/** How often a case is tried whose work may be over before it is seen. */
export const MAX_ATTEMPTS = 5;

const isUnfinished = async (send: Send, id: string): Promise<boolean> => {
  const { status } = jsonOf<{ status: string }>(await get(send, `/v1/task/${id}`));
  return status === 'queued' || status === 'processing';
};

/**
 * Asks while a host is busy, and again with other tasks if it finished them before it had answered.
 *
 * @param ask gets the id of a task that waits or runs
 * @returns the answers to `ask`, and the id of that task, which is done now
 */
export const askWhileBusy = async <T>(
  send: Send,
  ask: (id: string) => Promise<T>,
  attempt = 1,
): Promise<{ readonly answers: T; readonly id: string }> => {
  const ids = await keepBusy(send);
  const id = ids.at(-1)!;
  const answers = await ask(id);
  const wasBusy = await isUnfinished(send, id);
  await waitForAll(send, ids);
  if (wasBusy) return { answers, id };
  if (attempt === MAX_ATTEMPTS) throw new Error('Each task ends before a question about it is answered.');
  return askWhileBusy(send, ask, attempt + 1);
};

export const UNKNOWN_ID = '11111111-2222-4333-8444-555555555555';
