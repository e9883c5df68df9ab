import type { Storage, TaskStore } from '../ports/storage';
import { createTaskService } from '../tasks/service';
import { createFakeLog, createFakeSystem } from './fake-system';
import { testSettings } from './in-process-host';
import type { JobDisk } from './job-contract-steps';
import { createKillablePorts } from './killable-ports';

/** Storage and records of hosts of one process. */
export const createLocalJobDisk = (
  storage: Storage,
  taskStore: TaskStore,
  keys: JobDisk['keys'],
): JobDisk => ({
  storage,
  keys,
  start: async (engine, changes) => {
    const { die, ...mortal } = createKillablePorts({ storage, taskStore });
    const system = { ...createFakeSystem(), newId: () => crypto.randomUUID() };
    const ports = { engine, ...mortal, system, log: createFakeLog() };
    const service = createTaskService(ports, testSettings(changes));
    await service.resume();
    return { service, crash: die, stop: () => service.stop() };
  },
});
