import { withoutFrameTimes, NO_EDITS, type Edits } from '../../domain/edits/edits';
import type { AppliedEdits } from '../../domain/image-header';
import type { Task } from '../../domain/task';
import { VERSION } from '../../domain/version';
import type { System } from '../../ports/system';
import type { Storage } from '../../ports/storage';
import { tagOfBytes } from '../base/digest';
import type { TaskPorts } from '../base/settings';
import { outputFolder, readJson } from '../files/task-files';
import { hasLostSubject } from '../subjects/subjects';

/** The latest accepted edits that are not applied yet. */
export const WANTED_FILE = 'wanted-edits.json';
/** The edits of a result; with the prefix of its other files. */
const APPLIED = 'edits.json';

const wantedKey = (id: string): string => outputFolder(id) + WANTED_FILE;
const appliedKey = (id: string, prefix: string): string => outputFolder(id) + prefix + APPLIED;

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Edits that clients sent alike have equal tags. */
export const tagOfEdits = (edits: Edits, system: Pick<System, 'sha256'>): Promise<string> =>
  tagOfBytes(bytesOf(withoutFrameTimes(edits)), system);

export const readWantedEdits = (storage: Storage, id: string): Promise<Edits | undefined> =>
  readJson(storage, wantedKey(id));
export const writeWantedEdits = (storage: Storage, id: string, wanted: Edits): Promise<void> =>
  storage.write(wantedKey(id), bytesOf(wanted));
export const removeWantedEdits = (storage: Storage, id: string): Promise<void> =>
  storage.remove(wantedKey(id));

/** @param prefix `filePrefix` of the result; undefined where nobody has edited it */
export const readAppliedEdits = async (
  storage: Storage,
  id: string,
  prefix: string | undefined,
): Promise<Edits> =>
  (prefix === undefined ? undefined : await readJson<Edits>(storage, appliedKey(id, prefix))) ?? NO_EDITS;

/** A result: whether and how it was edited. */
interface EditedState {
  readonly filePrefix?: string;
  readonly revision?: number;
}

/** Whether a result shows these edits already. */
const areInForce = async (
  storage: Storage,
  id: string,
  { filePrefix }: EditedState,
  edits: Edits,
): Promise<boolean> =>
  JSON.stringify(await readAppliedEdits(storage, id, filePrefix)) === JSON.stringify(edits);

/**
 * Whether a result needs no rendering, because it shows these edits already. If the subject was deleted, the result may
 * still show a face.
 */
export const isUpToDate = async (
  { storage, subjects }: Pick<TaskPorts, 'storage' | 'subjects'>,
  task: Pick<Task, 'id' | 'options'>,
  result: EditedState,
  edits: Edits,
): Promise<boolean> =>
  !(await hasLostSubject(edits.show, task, subjects)) && (await areInForce(storage, task.id, result, edits));

export const writeAppliedEdits = (
  storage: Storage,
  id: string,
  prefix: string,
  edits: Edits,
): Promise<void> => storage.write(appliedKey(id, prefix), bytesOf(edits));

/** What is recorded for reports of edits that replace a result now. */
export const appliedEditsOf = (
  { reviewer, objects = [], areas = [] }: Edits,
  system: Pick<System, 'nowMs'>,
): AppliedEdits => {
  const decided = objects.length + areas.length;
  return {
    atMs: system.nowMs(),
    version: VERSION,
    ...(reviewer !== undefined && { reviewer }),
    ...(decided > 0 && { decided }),
  };
};
