import type { Storage, TaskStore } from '../ports/storage';

/** Ports of a host that can crash. After a crash nothing is written, and no call settles. */
export interface KillablePorts {
  readonly storage: Storage;
  readonly taskStore: TaskStore;
  /** Resolves when the host crashes. */
  readonly death: Promise<void>;
  /** Crashes the host. */
  die(): void;
}

const forever = (): Promise<never> => new Promise(() => undefined);

/** @param writes number of writes, of files and records together, before the host crashes */
export const createKillablePorts = (
  { storage, taskStore }: { readonly storage: Storage; readonly taskStore: TaskStore },
  writes = Number.POSITIVE_INFINITY,
): KillablePorts => {
  let left = writes;
  let die = (): void => undefined;
  const death = new Promise<void>((resolve) => {
    die = () => {
      left = -1;
      resolve();
    };
  });
  const unlessDead = async <T>(work: () => Promise<T>): Promise<T> => {
    const value = left < 0 ? await forever() : await work();
    return left < 0 ? forever() : value;
  };
  const write = <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left < 0) die();
    return unlessDead(work);
  };
  return {
    death,
    die: () => die(),
    storage: {
      write: (key, bytes) => write(() => storage.write(key, bytes)),
      read: (key) => unlessDead(() => storage.read(key)),
      open: (key) => unlessDead(() => storage.open(key)),
      create: async (key) => {
        const file = await unlessDead(() => storage.create(key));
        return {
          write: (position, bytes) => write(() => file.write(position, bytes)),
          commit: () => write(() => file.commit()),
          discard: () => unlessDead(() => file.discard()),
        };
      },
      remove: (prefix) => write(() => storage.remove(prefix)),
    },
    taskStore: {
      put: (task) => write(() => taskStore.put(task)),
      update: (id, change) => write(() => taskStore.update(id, change)),
      get: (id) => unlessDead(() => taskStore.get(id)),
      holdsVideo: () => unlessDead(() => taskStore.holdsVideo()),
      page: (limit, before) => unlessDead(() => taskStore.page(limit, before)),
      remove: (id) => write(() => taskStore.remove(id)),
      setFilesInDoubt: (id, inDoubt) => write(() => taskStore.setFilesInDoubt(id, inDoubt)),
      listFilesInDoubt: () => unlessDead(() => taskStore.listFilesInDoubt()),
    },
  };
};
