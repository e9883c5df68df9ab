import type { Storage } from '#shared/ports/storage';
import { outputFolder } from '#shared/tasks/files/task-files';
import type { ResultFolders } from './shared-task-store';

/**
 * Beginnings of the names of files that an edited result has instead. An imported result (`import-tasks.ts`) may have
 * been edited by the server that it comes from: then its files begin with `edit-`, and it has one folder only.
 */
const REPLACED = ['anonymised.', 'binary-mask.', 'instance-mask.', 'edit-'];

/**
 * Removes the files of a result that edits have replaced: the folder of earlier edits, and the pictures of the first
 * result. Its plans and reports stay, because all edits start from them.
 */
export const removeReplacedFiles = async (
  files: Storage,
  taskId: string,
  before: ResultFolders,
  after: ResultFolders,
): Promise<void> => {
  if (before.length === 0 || before.at(-1) === after.at(-1)) return;
  const [first, ...edited] = before;
  const folder = (name: string): string => `${outputFolder(taskId)}${name}/`;
  await Promise.all([
    ...edited.map((name) => files.remove(folder(name))),
    ...(edited.length > 0
      ? []
      : REPLACED.map((beginning) => files.remove(`${folder(first ?? '')}${beginning}`))),
  ]);
};
