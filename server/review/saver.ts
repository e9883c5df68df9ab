import { asSent } from '#shared/domain/edits/edits';
import pLimit from 'p-limit';
import type { ApiService } from '#shared/api/dispatch';
import type { Manifest } from '../batch/manifest';
import { allNames } from '../batch/output-names';
import { beginResults } from '../batch/results';
import { writeTaskResults } from '../batch/task-results';
import type { ReviewedTask } from './import-tasks';

/** Writes edited results into the result folder. */
export interface Saver {
  /** Saves the result of a task when its edits are applied. */
  request(reviewed: ReviewedTask): void;
  /** @throws FileProblem, DiskFull if the last requested result of the task could not be saved */
  settled(id: string): Promise<void>;
  /** When nothing is written any more. */
  idle(): Promise<void>;
}

interface SaverParts {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly service: ApiService;
  /** Called with a result that could not be saved. */
  readonly onFailure: (name: string, error: unknown) => void;
}

const textOf = (edits: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(edits, null, 2)}\n`);

/** Writes the files under temporary names first, so that each is either the old or the new one. */
const write = async (
  { result, task }: ReviewedTask,
  { folder, manifest, service }: SaverParts,
  signal: AbortSignal,
): Promise<void> => {
  const { tasks } = service;
  const { entry, outputs, editsName } = result;
  const base = await tasks.edits.base(task);
  if (!base) throw new Error('The result of a reviewed task is gone.');
  const { body } = await tasks.edits.inForce(base, task.id);
  const results = beginResults(folder);
  try {
    const wanted = { id: task.id, kind: task.kind, name: entry.name, outputs };
    await writeTaskResults(wanted, service, results, signal);
    await (await results.create(editsName)).write(0, textOf(asSent(body)));
    const written = { ...entry, outputs: [...allNames(outputs), editsName] };
    await manifest.put({ ...written, done: false });
    await results.commit();
    await manifest.put({ ...written, done: true });
  } finally {
    await results.discard();
  }
};

export const createSaver = (parts: SaverParts): Saver => {
  const { onFailure } = parts;
  const { tasks } = parts.service;
  const queue = pLimit(1);
  const { signal } = new AbortController();
  /** The last requested save of each task. */
  const saves = new Map<string, Promise<void>>();
  const save = async (reviewed: ReviewedTask, isLast: () => boolean): Promise<void> => {
    const { id } = reviewed.task;
    for await (const _ of tasks.watch(id, signal)); // until no edits wait or run
    if (!isLast() || (await tasks.get(id))?.edit) return;
    try {
      await queue(() => write(reviewed, parts, signal));
    } catch (error) {
      // Later edits may have replaced the result while it was read; they are saved next.
      if (!isLast()) return;
      onFailure(reviewed.result.outputs.anonymised, error);
      throw error;
    }
  };
  return {
    request: (reviewed) => {
      const { id } = reviewed.task;
      const own: Promise<void> = Promise.resolve().then(() => save(reviewed, () => saves.get(id) === own));
      own.catch(() => undefined); // awaited by `settled`
      saves.set(id, own);
    },
    settled: async (id) => saves.get(id),
    idle: async () => void (await Promise.allSettled(saves.values())),
  };
};
