import { resolve } from 'node:path';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { isLargeSweep } from '#shared/tasks/retention';
import type { AuditConfig } from '../cli/cluster-commands';
import { StartProblem } from '../cli/start-problem';
import { openAuditRecords } from '../adapters/postgres/audit-records';
import type { ClusterConfig } from '../cli/config';
import { parseFileLocation } from '../cluster/file-location';
import { openFiles } from '../cluster/open-files';
import { temporaryFolderOf } from '../cluster/services';
import { listFiles, type ListedFile, UUID } from '../adapters/list-files';
import { lockRecords, readRecords } from '../adapters/read-records';
import { createStorage, type StorageFolders } from '../adapters/storage';
import { RECORDS_FILE } from '../adapters/task-store';

/** Which files have a record. */
interface KnownFiles {
  /** Ids of tasks. */
  readonly tasks: ReadonlySet<string>;
  /** Folders of attempts, as `<task>/<attempt>`; undefined where a task's results lie in its own folder. */
  readonly attempts: ReadonlySet<string> | undefined;
}

/** Files that are removed together: those of an upload, of a task's results, or of an attempt. */
interface FileGroup {
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
const groupFiles = async (files: AsyncIterable<ListedFile>): Promise<readonly FileGroup[]> => {
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
const isKnown = ({ prefix }: FileGroup, { tasks, attempts }: KnownFiles): boolean => {
  const [, id = '', attempt = ''] = prefix.split('/');
  if (attempt === '' || attempts === undefined) return tasks.has(id);
  return attempts.has(`${id}/${attempt}`);
};

/** Records and files that are compared. */
export interface AuditSource {
  /** Milliseconds since the epoch, by the earliest clock at hand: files look younger rather than older. */
  nowMs(): Promise<number>;
  files(): AsyncIterable<ListedFile>;
  /** Called after the files are listed: what is recorded meanwhile is known. */
  known(): Promise<KnownFiles>;
  /** Keeps other processes out until `close`. @throws StartProblem if one works */
  keepOthersOut(): Promise<void>;
  /** @throws StartProblem if others are not kept out any more */
  remove(prefix: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folders of a stopped server without a role. No server can use them until `close`.
 *
 * @throws StartProblem if they have no records, or are in use
 */
const openServerFiles = async ({ input, output }: StorageFolders): Promise<AuditSource> => {
  const folders = { input: resolve(input), output: resolve(output) };
  const records = await readRecords(folders.output);
  if (!records) {
    throw new StartProblem(
      `${output} has no file ${RECORDS_FILE}: name the folders of a server with --input and --output.`,
    );
  }
  const unlock = await lockRecords(folders.output);
  const tasks = new Set([...records.tasks.map(({ id }) => id), ...records.inDoubt]);
  return {
    nowMs: async () => Date.now(),
    files: () => listFiles(folders),
    known: async () => ({ tasks, attempts: undefined }),
    keepOthersOut: async () => undefined, // the lock does
    remove: createStorage(folders).remove,
    close: unlock,
  };
};

/** Opens the records and files of a cluster. Its processes go on until they are kept out. @throws StartProblem */
const openClusterFiles = async ({
  database,
  files: address,
}: Pick<ClusterConfig, 'database' | 'files'>): Promise<AuditSource> => {
  const location = parseFileLocation(address, '--files');
  const records = await openAuditRecords(database);
  const files = await openFiles(location, temporaryFolderOf()).catch(async (error: unknown) => {
    await records.close();
    throw error;
  });
  return {
    nowMs: async () => Math.min(Date.now(), await records.nowMs()),
    files: files.list,
    known: async () => ({
      tasks: new Set(await records.taskIds()),
      attempts: new Set((await records.attempts()).map(({ taskId, folder }) => `${taskId}/${folder}`)),
    }),
    keepOthersOut: async () => {
      if (await records.keepOthersOut()) return;
      throw new StartProblem(
        'Other processes use the database: stop all API processes and workers, and start the audit again. Nothing was removed.',
      );
    },
    remove: async (prefix) => {
      if (records.lost.aborted) {
        throw new StartProblem('The connection to the database was lost: start the audit again.');
      }
      await files.storage.remove(prefix);
    },
    close: async () => {
      await files.close();
      await records.close();
    },
  };
};

/** A process may still be at younger files. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;

type Print = (line: string) => void;

const amountOf = (groups: readonly FileGroup[]): string => {
  const sum = (count: (group: FileGroup) => number): number =>
    groups.reduce((total, group) => total + count(group), 0);
  const files = sum((group) => group.files);
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(sum(({ bytes }) => bytes) / MEGABYTE).toFixed(1)} MB`;
};

const lineOf = (group: FileGroup, isYoung: boolean): string => {
  const changed = Number.isFinite(group.modifiedMs) ? new Date(group.modifiedMs).toISOString() : 'unknown';
  return `${group.prefix}: ${amountOf([group])}, changed ${changed}${isYoung ? ' (younger than a day)' : ''}`;
};

/**
 * Lists files without a record, and removes them if that is wanted.
 *
 * @throws StartProblem if it must not remove them
 */
export const audit = async (
  source: AuditSource,
  { removes, isConfirmed }: Pick<AuditConfig, 'removes' | 'isConfirmed'>,
  print: Print,
): Promise<void> => {
  if (removes) await source.keepOthersOut();
  const groups = await groupFiles(source.files());
  const known = await source.known();
  const orphans = groups.filter((group) => !isKnown(group, known));
  const oldestMs = (await source.nowMs()) - MIN_AGE_MS;
  const old = orphans.filter(({ modifiedMs }) => modifiedMs < oldestMs);
  for (const group of orphans) print(lineOf(group, !old.includes(group)));
  print(`${orphans.length} of ${groups.length} folders have no record (${amountOf(orphans)}).`);
  if (old.length === 0) return;
  if (!removes) return print('Nothing was removed: --remove removes those that are older than a day.');
  const isForeign = orphans.length === groups.length || isLargeSweep(old.length, groups.length);
  if (isForeign && !isConfirmed) {
    throw new StartProblem(
      'The records are probably not those of these folders. Nothing was removed: if they are, add --confirm-sweep.',
    );
  }
  for (const { prefix } of old) await source.remove(prefix);
  print(`Removed ${old.length} of them (${amountOf(old)}).`);
};

/** Runs `veil audit`. @throws StartProblem */
export const runAudit = async (
  config: AuditConfig,
  print: Print = (line) => void process.stdout.write(`${line}\n`),
): Promise<void> => {
  const { place } = config;
  const source = await (place.kind === 'server' ? openServerFiles(place.folders) : openClusterFiles(place));
  try {
    await audit(source, config, print);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new StartProblem(error.failure.sentence, { cause: error });
  } finally {
    await source.close();
  }
};
