import type { TaskStore, TaskPage } from '../../ports/storage';
import { reduceTask, type Task, type TaskEvent, keepsFiles } from '../../domain/task';

/** Number of a task in the order of arrival, as text in addresses. */
const CURSOR = /^\d{1,15}$/;

/** @returns undefined if the text is not the start of a page */
export const readCursor = (before: string | undefined): number | undefined => {
  if (before === undefined) return Number.MAX_SAFE_INTEGER;
  return CURSOR.test(before) ? Number(before) : undefined;
};

/** A task and its number. */
interface Arrival {
  readonly arrival: number;
  readonly task: Task;
}

/** @param found newest first, one more than the page can hold if there is a next page */
export const pageOf = (found: readonly Arrival[], limit: number): TaskPage => {
  const page = found.slice(0, limit);
  return {
    tasks: page.map(({ task }) => task),
    next: found.length > limit ? String(page.at(-1)?.arrival) : undefined,
  };
};

/** The page with changed tasks. */
export const mapPage = (page: TaskPage | undefined, change: (task: Task) => Task): TaskPage | undefined =>
  page && { ...page, tasks: page.tasks.map(change) };

/** Tasks of a page where all are read. The records of a page take some milliseconds, which other requests wait. */
export const TASKS_PER_PAGE = 100;

/**
 * All tasks, newest first, page by page. Other work of the host is done in between.
 *
 * @param first the first page, where it has been read
 */
export async function* inPages(
  page: TaskStore['page'],
  first?: TaskPage,
): AsyncGenerator<readonly Task[], void> {
  let found = first ?? (await page(TASKS_PER_PAGE, undefined));
  while (found) {
    yield found.tasks;
    found = found.next === undefined ? undefined : await page(TASKS_PER_PAGE, found.next);
  }
}

/** All tasks as they were when their page was read, newest first. */
export const allTasks = async ({ page }: Pick<TaskStore, 'page'>): Promise<Task[]> => {
  const tasks: Task[] = [];
  for await (const some of inPages(page)) tasks.push(...some);
  return tasks;
};

/** Tasks in memory, in the order of their arrival. */
interface ArrivedTasks {
  set(task: Task): void;
  get(id: string): Task | undefined;
  /** Newest first. */
  list(): Task[];
  holdsVideo(): boolean;
  page(limit: number, before: string | undefined): TaskPage | undefined;
  delete(id: string): void;
}

export const createArrivedTasks = (): ArrivedTasks => {
  const tasks = new Map<string, Arrival>();
  let last = 0;
  // A map keeps the order of insertion.
  const newestFirst = (): Arrival[] => [...tasks.values()].reverse();
  return {
    set: (task) => void tasks.set(task.id, { arrival: tasks.get(task.id)?.arrival ?? (last += 1), task }),
    get: (id) => tasks.get(id)?.task,
    list: () => newestFirst().map(({ task }) => task),
    holdsVideo: () => [...tasks.values()].some(({ task }) => task.kind === 'video' && keepsFiles(task)),
    page: (limit, before) => {
      const start = readCursor(before);
      if (start === undefined) return undefined;
      return pageOf(
        newestFirst()
          .filter(({ arrival }) => arrival < start)
          .slice(0, limit + 1),
        limit,
      );
    },
    delete: (id) => void tasks.delete(id),
  };
};

/**
 * Holds task records while a page is open, or a run over files works on one.
 *
 * @param onChange called with all records after each change; a reloaded page restores them with `put`
 */
export const createMemoryTaskStore = (onChange?: (tasks: readonly Task[]) => void): TaskStore => {
  const tasks = createArrivedTasks();
  /** Oldest first, so that they are restored in their order. */
  const report = (): void => onChange?.(tasks.list().reverse());
  const set = (task: Task): void => {
    tasks.set(task);
    report();
  };
  return {
    put: async (task) => set(task),
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) set(change(task));
    },
    get: async (id) => tasks.get(id),
    holdsVideo: async () => tasks.holdsVideo(),
    page: async (limit, before) => tasks.page(limit, before),
    remove: async (id) => {
      tasks.delete(id);
      report();
    },
    // A reloaded page keeps only the files of its list.
    setFilesInDoubt: async () => undefined,
    listFilesInDoubt: async () => [],
  };
};

/** The task records of a host: what the store keeps, with the newest state of unfinished tasks on top. */
export interface TaskRecords {
  add(task: Task): Promise<void>;
  /** Holds an unfinished task that an earlier run of the host has put on record, for its progress. */
  resume(task: Task): void;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** See `TaskStore`. */
  page: TaskStore['page'];
  /** Nothing happens where the task is gone: a late report never brings it back. */
  apply(id: string, event: TaskEvent): Promise<void>;
  remove(id: string): Promise<void>;
  /** Whether the task is reported as queued or processing. Only for tasks that this run of the host knows. */
  isUnfinished(id: string): boolean;
  /** Number of those tasks. */
  countUnfinished(): number;
}

const isUnfinished = (task: Task): boolean => task.status === 'queued' || task.status === 'processing';

/** Tasks in memory. The unfinished ones are counted as they change: each upload asks, however many wait. */
const createHeldTasks = () => {
  const tasks = new Map<string, Task>();
  let unfinished = 0;
  const countOf = (task: Task | undefined): number => (task && isUnfinished(task) ? 1 : 0);
  return {
    get: (id: string): Task | undefined => tasks.get(id),
    set: (task: Task): void => {
      unfinished += countOf(task) - countOf(tasks.get(task.id));
      tasks.set(task.id, task);
    },
    delete: (id: string): void => {
      unfinished -= countOf(tasks.get(id));
      tasks.delete(id);
    },
    countUnfinished: (): number => unfinished,
  };
};

/**
 * Keeps unfinished tasks in memory as well, so that progress costs no write.
 *
 * Memory changes first and at once: of two changes made at a time, the second starts from the first.
 *
 * @param onChange called after each change of a record
 */
export const createTaskRecords = (
  store: TaskStore,
  onChange: (id: string) => void = () => undefined,
): TaskRecords => {
  const unfinished = createHeldTasks();
  /** Done, but not saved yet: not reported before, since a crash would lose the result. */
  const finishing = new Map<string, Task>();

  const keep = async (task: Task): Promise<void> => {
    finishing.delete(task.id);
    unfinished.set(task);
    await store.put(task);
    if (!isUnfinished(task) && unfinished.get(task.id) === task) unfinished.delete(task.id);
  };
  /** Where it cannot be put on record it can still fail. */
  const finish = async (finished: Task): Promise<void> => {
    const { id } = finished;
    const isLatest = (): boolean => finishing.get(id) === finished;
    finishing.set(id, finished);
    try {
      await store.put(finished);
      if (isLatest()) unfinished.delete(id);
    } finally {
      if (isLatest()) finishing.delete(id);
    }
  };

  const latest = (task: Task): Task => unfinished.get(task.id) ?? task;
  const page: TaskStore['page'] = async (limit, before) => mapPage(await store.page(limit, before), latest);
  const apply: TaskRecords['apply'] = async (id, event) => {
    const task = finishing.get(id) ?? unfinished.get(id);
    if (event.type === 'progressed') {
      if (task && !finishing.has(id)) unfinished.set(reduceTask(task, event));
    } else if (!task) await store.update(id, (stored) => reduceTask(stored, event));
    else if (event.type === 'finished') await finish(reduceTask(task, event));
    else await keep(reduceTask(task, event));
  };

  return {
    add: keep,
    resume: unfinished.set,
    get: async (id) => unfinished.get(id) ?? (await store.get(id)),
    list: () => allTasks({ page }),
    page,
    apply: async (id, event) => {
      await apply(id, event);
      onChange(id);
    },
    remove: async (id) => {
      unfinished.delete(id);
      finishing.delete(id);
      await store.remove(id);
      onChange(id);
    },
    isUnfinished: (id) => {
      const task = unfinished.get(id);
      return task !== undefined && isUnfinished(task);
    },
    countUnfinished: unfinished.countUnfinished,
  };
};
