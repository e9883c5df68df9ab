import { keepsFiles, type Task } from '../../domain/task';
import type { TaskPage, TaskStore } from '../../ports/system';

/** Number of a task in the order of arrival, as text in addresses. */
const CURSOR = /^\d{1,15}$/;

/** @returns undefined if the text is not the start of a page */
export const readCursor = (before: string | undefined): number | undefined => {
  if (before === undefined) return Number.MAX_SAFE_INTEGER;
  return CURSOR.test(before) ? Number(before) : undefined;
};

/** A task and its number. */
export interface Arrival {
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
export interface ArrivedTasks {
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
