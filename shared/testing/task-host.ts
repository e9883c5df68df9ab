import { videoOptions } from '../catalogue/derive-parameters';
import { imageHeader } from './sniffed-files';
import type { Engine } from '../ports/host-engine';
import type { Submission } from '../tasks/accept/accept-upload';
import { createTaskService, type TaskService } from '../tasks/service';
import type { TaskPorts } from '../tasks/base/settings';
import { createFakeEngine } from './fake-engine';
import { createFakeLog, createFakeSystem } from './fake-system';
import { testSettings } from './in-process-host';
import { createMemoryStorage, receivedInMemory } from './memory-storage';
import { createMemoryTaskStore } from './memory-task-store';
import { createKillablePorts } from './killable-ports';
import { RAMP_JPEG } from './ramp-images';
import { taskRecord } from './task-store-contract';

const { options: OPTIONS } = taskRecord('any');
export const forever = (): Promise<void> => new Promise(() => undefined);

/** Storage and records that survive a crash of a host. */
export const createDisk = () => ({ storage: createMemoryStorage(), taskStore: createMemoryTaskStore() });
export type Disk = ReturnType<typeof createDisk>;

/** Starts a host on a disk. It crashes on request, or after a number of writes. */
export const startHost = (
  disk: Disk,
  engine: Engine = createFakeEngine(),
  writes?: number,
  more: Partial<TaskPorts> = {},
) => {
  const { storage, taskStore, death, die } = createKillablePorts(disk, writes);
  const system = { ...createFakeSystem(), newId: () => crypto.randomUUID() };
  const ports: TaskPorts = { engine, storage, taskStore, system, log: createFakeLog(), ...more };
  const service = createTaskService(ports, testSettings());
  const submit = (
    changes: Partial<Submission['options']> = {},
    {
      idempotencyKey,
      webhook = null,
      detections,
    }: Partial<Pick<Submission, 'idempotencyKey' | 'webhook'>> & { readonly detections?: Uint8Array } = {},
  ) =>
    service.submit({
      file: receivedInMemory(RAMP_JPEG, storage),
      filename: 'a.jpg',
      format: 'jpeg',
      header: imageHeader(),
      options: { ...OPTIONS, ...changes },
      video: videoOptions(),
      webhook,
      isAwaited: true,
      idempotencyKey,
      ...(detections && {
        given: {
          file: receivedInMemory(detections, storage),
          facts: { sizeBytes: detections.byteLength, sha256: '0'.repeat(64) },
        },
      }),
    });
  return { service, submit, death, die };
};

export const statusOf = async (service: TaskService, id: string) => (await service.get(id))?.status;
export const allEnded = async (service: TaskService): Promise<boolean> =>
  (await service.list()).every(({ status }) => status !== 'queued' && status !== 'processing');
