import type { AppliedEdits } from '../../domain/provenance';
import type { Task } from '../../domain/task';
import { VERSION } from '../../domain/version';
import type { Storage } from '../../ports/storage';
import type { System } from '../../ports/system';
import { tagOfBytes } from '../base/content-tag';
import type { WantedEdits } from '../base/job-store';
import type { TaskPorts } from '../base/task-ports';
import { outputFolder, readJson } from '../files/task-files';
import { hasLostSubject } from '../subjects/edited-subject';

/** The latest accepted edits that are not applied yet. */
export const WANTED_FILE = 'wanted-edits.json';
/** The edits of a result; with the prefix of its other files. */
const APPLIED = 'edits.json';

const wantedKey = (id: string): string => outputFolder(id) + WANTED_FILE;
const appliedKey = (id: string, prefix: string): string => outputFolder(id) + prefix + APPLIED;

/** Body of a result that nobody has edited. */
export const NO_EDITS_BODY = { objects: [], areas: [] } as const;

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Equal edits have equal tags. */
export const tagOfEdits = (body: object, system: Pick<System, 'sha256'>): Promise<string> =>
  tagOfBytes(bytesOf(body), system);

export const readWantedEdits = (storage: Storage, id: string): Promise<WantedEdits | undefined> =>
  readJson(storage, wantedKey(id));
export const writeWantedEdits = (storage: Storage, id: string, wanted: WantedEdits): Promise<void> =>
  storage.write(wantedKey(id), bytesOf(wanted));
export const removeWantedEdits = (storage: Storage, id: string): Promise<void> =>
  storage.remove(wantedKey(id));

/** @param prefix `filePrefix` of the result; undefined where nobody has edited it */
export const readAppliedEdits = async (
  storage: Storage,
  id: string,
  prefix: string | undefined,
): Promise<object> =>
  (prefix === undefined ? undefined : await readJson<object>(storage, appliedKey(id, prefix))) ??
  NO_EDITS_BODY;

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
  body: object,
): Promise<boolean> =>
  JSON.stringify(await readAppliedEdits(storage, id, filePrefix)) === JSON.stringify(body);

/**
 * Whether a result needs no rendering, because it shows these edits already. If the subject was deleted, the result may
 * still show a face.
 *
 * @param body the edits as a client sent them
 * @param show the subject that they name
 */
export const isUpToDate = async (
  { storage, subjects }: Pick<TaskPorts, 'storage' | 'subjects'>,
  task: Pick<Task, 'id' | 'options'>,
  result: EditedState,
  { body, show }: { readonly body: object; readonly show: string | undefined },
): Promise<boolean> =>
  !(await hasLostSubject(show, task, subjects)) && (await areInForce(storage, task.id, result, body));

export const writeAppliedEdits = (
  storage: Storage,
  id: string,
  prefix: string,
  body: object,
): Promise<void> => storage.write(appliedKey(id, prefix), bytesOf(body));

/** The fields of a body that the record of its application names. */
interface ReviewedBody {
  readonly reviewer?: string;
  readonly objects?: readonly unknown[];
  readonly areas?: readonly unknown[];
}

/** What is recorded for reports of edits that replace a result now. @param body the edits as a client sent them */
export const appliedNow = (body: object, system: Pick<System, 'nowMs'>): AppliedEdits => {
  const { reviewer, objects = [], areas = [] } = body as ReviewedBody;
  const decided = objects.length + areas.length;
  return {
    atMs: system.nowMs(),
    version: VERSION,
    ...(reviewer !== undefined && { reviewer }),
    ...(decided > 0 && { decided }),
  };
};
