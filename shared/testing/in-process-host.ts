import { bytesOf, type UploadPart } from '../api/http/http';
import { createApiService, dispatch, type ApiService } from '../api/dispatch';
import { ApiError } from '../api/contract/errors';
import { LIMITS } from '../domain/limits';
import type { AccessControl, ReportSigner, System, Timer } from '../ports/system';
import type { WebhookPorts } from '../ports/webhooks';
import type { SubjectStore, TaskStore } from '../ports/storage';
import type { Engine } from '../ports/host-engine';
import { createTaskService } from '../tasks/service';
import type { ServiceSettings } from '../tasks/base/settings';
import { STANDARD_HOST, type Send, type SentPart } from './conformance';
import { createFakeEngine } from './fake-engine';
import { createFakeLog, createFakeSystem, type FakeLog } from './fake-system';
import { createMemoryStorage, receivedInMemory, type MemoryFile, type MemoryStorage } from './memory-storage';
import { createMemorySubjects } from '../tasks/subjects/subjects';
import { createMemoryTaskStore } from './memory-task-store';

export const testSettings = (changes: Partial<ServiceSettings> = {}): ServiceSettings => ({
  ...STANDARD_HOST,
  baseUrl: 'http://localhost:7000',
  format: { kind: 'whole' },
  maskFiles: 'written',
  limits: LIMITS,
  ...changes,
});

export interface InProcessHost {
  readonly send: Send;
  readonly api: ApiService;
  readonly storage: MemoryStorage;
  readonly log: FakeLog;
  /** All received uploads. */
  readonly received: readonly MemoryFile[];
}

export interface InProcessParts {
  readonly engine?: Engine;
  readonly storage?: MemoryStorage;
  readonly taskStore?: TaskStore;
  readonly webhooks?: WebhookPorts;
  readonly access?: AccessControl;
  readonly reportSigner?: ReportSigner;
  readonly timer?: Timer;
  readonly nextTurn?: () => Promise<void>;
  readonly system?: System;
  /** Null where persons are not recognised. */
  readonly subjects?: SubjectStore | null;
}

/** Creates the whole API in one process, with fakes as ports. */
export const createInProcessHost = (
  changes: Partial<ServiceSettings> = {},
  {
    engine = createFakeEngine(),
    storage = createMemoryStorage(),
    taskStore = createMemoryTaskStore(),
    webhooks,
    access,
    reportSigner,
    timer,
    nextTurn,
    system = createFakeSystem(),
    subjects = createMemorySubjects(),
  }: InProcessParts = {},
): InProcessHost => {
  const settings = testSettings(changes);
  const log = createFakeLog();
  const ports = {
    engine,
    storage,
    taskStore,
    system,
    log,
    ...(webhooks ? { webhooks } : {}),
    ...(timer ? { timer } : {}),
    ...(nextTurn ? { nextTurn } : {}),
    access,
    reportSigner,
    subjects: subjects ?? undefined,
  };
  const api = createApiService(createTaskService(ports, settings), ports, settings);
  const received: MemoryFile[] = [];
  const receive = (parts: readonly SentPart[]): UploadPart[] =>
    parts.map(({ name, filename, contentType, bytes }) => {
      const file = receivedInMemory(bytes, storage);
      received.push(file);
      return { name, filename, contentType, file };
    });
  const send: Send = async ({ method, url, headers = {}, parts, body = new Uint8Array(0) }) => {
    const answer = await dispatch(
      {
        method,
        url,
        headers,
        receiveUpload: async () => {
          if (!parts) throw new ApiError('not_multipart');
          return receive(parts);
        },
        receiveBody: async (maxBytes) => {
          if (body.length > maxBytes) throw new ApiError('body_too_large', maxBytes);
          return body;
        },
        signal: new AbortController().signal,
      },
      api,
    );
    return { ...answer, body: await bytesOf(answer.body) };
  };
  return { send, api, storage, log, received };
};
