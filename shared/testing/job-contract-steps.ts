import { imageHeader } from './sniffed-files';
import { expect } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import { NO_EDITS, type Edits } from '../domain/edits/edits';
import { defaultImageOptions } from '../domain/options';
import type { Task } from '../domain/task';
import type { Engine } from '../ports/host-engine';
import type { Storage } from '../ports/storage';
import type { Submission, Admit } from '../tasks/accept/accept-upload';
import type { ServiceSettings } from '../tasks/base/settings';
import type { TaskService } from '../tasks/service';
import { createFakeEngine, type DuringWork } from './fake-engine';
import { receivedInMemory } from './memory-storage';
import { RAMP_JPEG } from './ramp-images';

/** A running host. */
export interface JobHost {
  readonly service: TaskService;
  /** Ends the host without warning: nothing is written any more, and no call settles. */
  crash(): void;
  /** Ends it in good order, without a grace time. */
  stop(): Promise<void>;
}

/** What survives the end of a host. */
export interface JobDisk {
  /** Where a host receives uploads. */
  readonly storage: Storage;
  /** Starts a host; an earlier one has ended. */
  start(engine: Engine, changes: Partial<ServiceSettings>): Promise<JobHost>;
  /** Keys of all files of tasks. */
  keys(): Promise<readonly string[]>;
}

export const FOREVER: DuringWork = () => new Promise(() => undefined);
export const HIDING: Edits = { ...NO_EDITS, method: 'blur' };
export const SHOWING: Edits = { ...HIDING, objects: [{ id: 0, hidden: false }] };
export const PATIENTLY = { timeout: 30_000, interval: 20 };

/** Work that runs until it is released. It obeys its signal unless it is deaf. */
export const createHeldEngine = (isDeaf = false) => {
  const waiting: (() => void)[] = [];
  const engine = createFakeEngine(() => new Promise((resolve) => waiting.push(resolve)));
  const never = new AbortController().signal;
  const deaf: Engine = {
    ...engine,
    anonymiseImage: (job, onProgress) => engine.anonymiseImage(job, onProgress, never),
  };
  return { engine: isDeaf ? deaf : engine, waiting, letGo: () => waiting.splice(0).forEach((end) => end()) };
};

/** Writes how many objects a plan hides. */
export const createCountingEngine = (
  during: (signal: AbortSignal) => Promise<void> = async () => undefined,
): Engine => ({
  ...createFakeEngine(),
  renderImage: async ({ plan }, signal) => {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    aborted.catch(() => undefined);
    await Promise.race([during(signal), aborted]);
    return new Uint8Array([plan.regions.length]);
  },
});

type Upload = Partial<Pick<Submission, 'idempotencyKey' | 'webhook' | 'isAwaited' | 'filename'>>;

export const submit = (disk: JobDisk, { service }: JobHost, upload: Upload = {}, admit?: Admit) =>
  service.submit(
    {
      file: receivedInMemory(RAMP_JPEG, disk.storage),
      filename: 'a.jpg',
      format: 'jpeg',
      header: imageHeader(),
      options: defaultImageOptions({ classes: ['face', 'vehicle'] }),
      video: videoOptions(),
      webhook: null,
      isAwaited: false,
      ...upload,
    },
    admit,
  );

export const statusIs = async ({ service }: JobHost, id: string, status: Task['status']): Promise<void> => {
  await expect.poll(async () => (await service.get(id))?.status, PATIENTLY).toBe(status);
};
export const acceptDone = async (disk: JobDisk, host: JobHost): Promise<string> => {
  const { task } = await submit(disk, host);
  await statusIs(host, task.id, 'done');
  return task.id;
};

export const edit = async ({ service }: JobHost, id: string, edits: Edits) => {
  const task = (await service.get(id))!;
  const base = (await service.edits.base(task))!;
  return (await service.edits.submit(task, base, edits, () => true))!;
};
export const stopEdits = async ({ service }: JobHost, id: string) => {
  const task = (await service.get(id))!;
  return service.edits.stopEdits(task, (await service.edits.base(task))!, () => true);
};
export const editsAre = async (
  { service }: JobHost,
  id: string,
  status: string | undefined,
): Promise<void> => {
  await expect.poll(async () => (await service.get(id))?.edit?.status, PATIENTLY).toBe(status);
};
export const labels = async ({ service }: JobHost, id: string) =>
  (await service.result(id))?.report.detections.map(({ objectClass }) => objectClass);
