import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApiService, dispatch, type ApiService } from '#shared/api/dispatch';
import { bytesOf } from '#shared/api/http/http';
import { reduceTask } from '#shared/domain/task';
import { announce, newWebhook } from '#shared/domain/webhook';
import { createEngine } from '#shared/engine/engine';
import type { Engine } from '#shared/ports/host-engine';
import type { Storage } from '#shared/ports/storage';
import { WANTED_FILE } from '#shared/tasks/edits/wanted-edits';
import { sourceKey } from '#shared/tasks/files/task-files';
import { createTaskService } from '#shared/tasks/service';
import type { Send } from '#shared/testing/conformance';
import { filePart, remove, uploadedId, waitForTask } from '#shared/testing/conformance-steps';
import { createFakeMethods, createHostEngine } from '#shared/testing/fake-engine';
import { FAKE_MANIFEST } from '#shared/testing/fake-models';
import { createFakeLog } from '#shared/testing/fake-system';
import { testSettings } from '#shared/testing/in-process-host';
import { receivedInMemory } from '#shared/testing/memory-storage';
import { jpegFile } from '#shared/testing/image-bytes';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { taskRecord } from '#shared/testing/task-store-contract';
import { imageCodec } from '../adapters/image-codec';
import { createStorage } from '../adapters/storage';
import { system } from '../adapters/system';
import { openTaskStore } from '../adapters/task-store';
import { temporaryFolder } from './temporary-folder';

export const EMBEDDED_SETTINGS = testSettings({ baseUrl: 'http://localhost:7000', saveMask: 'all' });

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
      runtime: { backend: 'none', parallelRuns: 1, createSession: noModels },
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

/** A server without a role, in a folder of its own. */
export const openEmbedded = async () => {
  const folder = temporaryFolder();
  const folders = { input: join(folder, 'input'), output: join(folder, 'output') };
  const disk = createStorage(folders);
  let wanted = new Uint8Array();
  const storage: Storage = {
    ...disk,
    write: (key, bytes) => {
      if (key.endsWith(WANTED_FILE)) wanted = bytes.slice();
      return disk.write(key, bytes);
    },
  };
  await storage.write('output/start/start', new Uint8Array());
  const taskStore = await openTaskStore(folders.output);
  const ports = { engine: createRenderingEngine(), storage, taskStore, system, log: createFakeLog() };
  const tasks = createTaskService(ports, EMBEDDED_SETTINGS);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= tasks.stop().then(() => taskStore.close()));
  // Node 26 ends a process that leaves an open file to the garbage collector.
  onTestFinished(stop);
  /** Adds the edits of the latest request to a task. They are not applied. */
  const leaveEdits = async (id: string): Promise<void> => {
    await disk.write(`output/${id}/${WANTED_FILE}`, wanted);
    await taskStore.update(id, (task) => reduceTask(task, { type: 'edit-queued' }));
  };
  return {
    folder,
    storage,
    taskStore,
    leaveEdits,
    send: sendTo(createApiService(tasks, ports, EMBEDDED_SETTINGS), storage),
    stop,
  };
};

/** What the receiver of an unsent notification gets as a secret. */
export const WEBHOOK_SECRET = 'hush';

const addUnfinished = async ({ storage, taskStore }: Awaited<ReturnType<typeof openEmbedded>>) => {
  const [interrupted, queued] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [interrupted, queued]) await storage.write(sourceKey(id, 'jpeg'), RAMP_JPEG);
  const running = { status: 'processing', attempts: 1, startedAtMs: 1 } as const;
  await taskStore.put(taskRecord(interrupted, running));
  await taskStore.put(taskRecord(queued));
  return { interrupted, queued };
};

const addEnded = async ({ send, taskStore }: Awaited<ReturnType<typeof openEmbedded>>) => {
  const photo = await uploadedId(send, { idempotencyKey: 'an upload' });
  const drawing = await uploadedId(send, { query: 'anonymisation_method=blacken' });
  const unreachable = await uploadedId(send);
  const header = { name: 'x-secret', value: WEBHOOK_SECRET };
  const webhook = announce(newWebhook({ url: 'http://localhost:9/hook', header }), {
    status: 'done',
    atMs: 1,
  });
  await taskStore.update(unreachable, (task) => ({ ...task, webhook }));
  const broken = await uploadedId(send, { isAsync: true, parts: [filePart(jpegFile(64, 64))] });
  await waitForTask(send, broken);
  const emptied = await uploadedId(send);
  await remove(send, `/v1/task/${emptied}?delete-scope=only-files`);
  return { photo, drawing, unreachable, broken, emptied };
};

/**
 * A server without a role that was killed: its folder has a log, tasks in all states, a notification that was not sent,
 * and a task with an idempotency key.
 *
 * @returns its folder, ids of tasks by name, and a function that still answers requests
 */
export const killedServer = async () => {
  const server = await openEmbedded();
  const ids = { ...(await addEnded(server)), ...(await addUnfinished(server)) };
  const from = temporaryFolder();
  cpSync(server.folder, from, { recursive: true });
  return { from, ids, send: server.send, stop: server.stop };
};
