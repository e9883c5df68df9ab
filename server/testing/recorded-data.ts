import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dispatch, type ApiService } from '#shared/api/dispatch';
import { bytesOf } from '#shared/api/http/body';
import { createEngine } from '#shared/engine/engine';
import { createHostEngine } from '#shared/engine/host-engine';
import type { Engine } from '#shared/ports/engine';
import type { Storage } from '#shared/ports/storage';
import type { Answer, Send } from '#shared/testing/conformance';
import { get } from '#shared/testing/conformance-steps';
import { createFakeMethods } from '#shared/testing/fake-engine';
import { FAKE_MANIFEST } from '#shared/testing/fake-models';
import { receivedInMemory } from '#shared/testing/memory-storage';
import { imageCodec } from '../adapters/image-codec';
import { system as realSystem } from '../adapters/system';
import { temporaryFolder } from './temporary-folder';

/** Folders and answers of a server of version 0.1: see the README there. */
const DATA = join(import.meta.dirname, 'data-of-0.1');

interface RecordedAnswer {
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly etag?: string;
  readonly 'content-disposition'?: string;
  readonly json?: unknown;
  /** Hash of a body that is not JSON. */
  readonly sha256?: string;
}
interface KeyedUpload {
  readonly key: string;
  readonly query: string;
  readonly filename: string;
  readonly task: string;
}
interface Recording {
  readonly baseUrl: string;
  readonly recordedAtMs: number;
  /** Ids of tasks by name. */
  readonly tasks: Readonly<Record<string, string>>;
  readonly uploads: readonly KeyedUpload[];
  readonly answers: readonly RecordedAnswer[];
}
export const RECORDING = JSON.parse(readFileSync(join(DATA, 'answers.json'), 'utf8')) as Recording;
export const { tasks: TASKS } = RECORDING;
export const idOf = (name: string): string => {
  const id = TASKS[name];
  if (id === undefined) throw new Error(`No task is named ${name}.`);
  return id;
};

/** A time within the 24 hours for which an `Idempotency-Key` is valid. */
export const system = { ...realSystem, nowMs: () => RECORDING.recordedAtMs + 60_000 };

/** A copy of the folders, which is deleted after the test. */
export const recordedFolder = (): string => {
  const folder = temporaryFolder();
  cpSync(DATA, folder, { recursive: true });
  return folder;
};

/** An engine that renders like the product and detects the objects of the fake engine. */
export const createRenderingEngine = (): Engine => {
  const noModels = (): never => {
    throw new Error('This test has no models.');
  };
  return createHostEngine({
    takesVideo: false,
    convertsVideo: false,
    ...createEngine({
      codec: imageCodec,
      runtime: { backend: 'none', lanes: 1, createSession: noModels },
      modelFiles: { read: noModels },
      manifest: FAKE_MANIFEST,
      system,
    }),
    anonymiseImage: createFakeMethods().anonymiseImage,
  });
};

/** Sends requests to a service. Uploads go to a storage. */
export const sendTo =
  (api: ApiService, storage: Storage): Send =>
  async ({ method, url, headers = {}, parts = [], body = new Uint8Array(0) }) => {
    const receiveUpload = async () =>
      parts.map(({ bytes, ...part }) => ({ ...part, file: receivedInMemory(bytes, storage) }));
    const { signal } = new AbortController();
    const receiveBody = async () => body;
    const answer = await dispatch({ method, url, headers, receiveUpload, receiveBody, signal }, api);
    return { ...answer, body: await bytesOf(answer.body) };
  };

export const sha256 = ({ body }: Answer): string => createHash('sha256').update(body).digest('hex');
export const answerTo = (path: string): RecordedAnswer => {
  const answer = RECORDING.answers.find((recorded) => recorded.path === path);
  if (!answer) throw new Error(`No answer to ${path} was recorded.`);
  return answer;
};
export const textOf = ({ body }: Answer): string => new TextDecoder().decode(body);
/** Removes the progress, which is stored only in memory while a task runs. */
const withoutProgress = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (key, value: unknown) => (key === 'progress' ? undefined : value)));
/** Whether a response is rendered. Such files may be encoded differently by another version; stored ones may not. */
const isRendered = (path: string): boolean => path.includes('?');

export const mustAnswerAsRecorded = async (send: Send, recorded: RecordedAnswer): Promise<void> => {
  const answer = await get(send, recorded.path);
  expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
    recorded.status,
    recorded.contentType,
    recorded['content-disposition'],
  ]);
  // The sentences of refusals may change.
  if (recorded.status >= 400) return;
  if (recorded.sha256 === undefined) {
    expect(withoutProgress(JSON.parse(textOf(answer)))).toEqual(withoutProgress(recorded.json));
  } else if (!isRendered(recorded.path)) expect(sha256(answer)).toBe(recorded.sha256);
};
