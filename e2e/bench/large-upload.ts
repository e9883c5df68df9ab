/** Measures an upload that is far larger than the memory that it should need. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '#shared/api/contract/routes';
import { MP4_START } from '#shared/testing/ramp-images';
import type { ServerProcess } from '../support/server-process';
import { residentMiB } from './resident';

const SIZE_BYTES = 2 * 1024 ** 3;
const CHUNK = Buffer.alloc(1024 ** 2, 'veil');
const SAMPLE_PAUSE_MS = 20;
const BOUNDARY = 'large-upload-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="fileobject"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

export interface LargeUpload {
  readonly status: number;
  readonly answer: string;
  readonly sentMiB: number;
  readonly seconds: number;
  /** Peak memory during the upload, minus the memory before it. */
  readonly growthMiB: number;
}

/** Sends until the file is complete or a response arrives. */
const send = async (origin: string) => {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-is-async': 'true' };
  const upload = request(origin + ROUTES.uploadFile.path, { method: 'POST', headers });
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  let isAnswered = false;
  void answered.then(() => (isAnswered = true));
  upload.write(Buffer.concat([Buffer.from(HEAD), MP4_START]));
  let sent = MP4_START.length;
  for (; sent < SIZE_BYTES && !isAnswered; sent += CHUNK.length) {
    const part = CHUNK.subarray(0, SIZE_BYTES - sent);
    if (!upload.write(part)) await Promise.race([once(upload, 'drain'), answered]);
  }
  if (!isAnswered) upload.end(TAIL);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  upload.destroy();
  return { status: response.statusCode ?? 0, answer: text, sentMiB: Math.min(sent, SIZE_BYTES) / 1024 ** 2 };
};

export const measureLargeUpload = async ({ origin, pid }: ServerProcess): Promise<LargeUpload> => {
  const before = residentMiB(pid());
  let [peak, isOver] = [before, false];
  const sample = async (): Promise<void> => {
    for (; !isOver; await sleep(SAMPLE_PAUSE_MS)) peak = Math.max(peak, residentMiB(pid()));
  };
  const sampling = sample();
  const start = performance.now();
  const sent = await send(origin);
  const seconds = (performance.now() - start) / 1000;
  isOver = true;
  await sampling;
  return { ...sent, seconds, growthMiB: peak - before };
};
