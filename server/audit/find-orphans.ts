import { UUID, type ListedFile } from '../adapters/list-files';

/** Which files have a record. */
export interface KnownFiles {
  /** Ids of tasks. */
  readonly tasks: ReadonlySet<string>;
  /** Folders of attempts, as `<task>/<attempt>`; undefined where a task's results lie in its own folder. */
  readonly attempts: ReadonlySet<string> | undefined;
}

/** Files that are removed together: those of an upload, of a task's results, or of an attempt. */
export interface FileGroup {
  /** Prefix of their keys. */
  readonly prefix: string;
  readonly files: number;
  readonly bytes: number;
  /** Of the file that was changed last, in milliseconds since the epoch. */
  readonly modifiedMs: number;
}

/** The prefix of the group of a key; undefined for keys that are not named like those of tasks. */
const prefixOf = (key: string): string | undefined => {
  const [root, id = '', name = '', ...more] = key.split('/');
  if (!UUID.test(id)) return undefined;
  const isAttempt = root === 'output' && more.length > 0 && UUID.test(name);
  return isAttempt ? `${root}/${id}/${name}/` : `${root}/${id}/`;
};

/** Joins files to groups, without keeping them: there may be millions. */
export const groupFiles = async (files: AsyncIterable<ListedFile>): Promise<readonly FileGroup[]> => {
  const groups = new Map<string, FileGroup>();
  for await (const { key, sizeBytes, modifiedMs } of files) {
    const prefix = prefixOf(key);
    if (prefix === undefined) continue;
    const group = groups.get(prefix) ?? { prefix, files: 0, bytes: 0, modifiedMs: -Infinity };
    const isFile = !key.endsWith('/');
    groups.set(prefix, {
      prefix,
      files: group.files + Number(isFile),
      bytes: group.bytes + (isFile ? sizeBytes : 0),
      modifiedMs: Math.max(group.modifiedMs, modifiedMs),
    });
  }
  return [...groups.values()];
};

/** Whether a record explains the files of a group. */
export const isKnown = ({ prefix }: FileGroup, { tasks, attempts }: KnownFiles): boolean => {
  const [, id = '', attempt = ''] = prefix.split('/');
  if (attempt === '' || attempts === undefined) return tasks.has(id);
  return attempts.has(`${id}/${attempt}`);
};
