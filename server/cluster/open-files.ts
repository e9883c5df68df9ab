import { lstat, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '#shared/ports/storage';
import { listFiles, type ListedFile } from '../adapters/list-files';
import { explainS3 } from '../adapters/s3/s3-failure';
import { createS3Storage } from '../adapters/s3/s3-storage';
import { createFolder, createStorage } from '../adapters/storage';
import { StartProblem } from '../cli/start-problem';
import type { ReceivingFolder, TemporaryFiles } from '../http/receiving-folder';
import {
  openSharedReceivingFolder,
  openTemporaryFilesOfHosts,
  receivingPath,
} from '../http/receiving-folder';
import type { FileLocation } from './file-location';
import { createProbe, tryStorage, type Probe } from './probe';

/** The files of a cluster, as one of its processes uses them. */
export interface SharedFiles {
  readonly storage: Storage;
  /** For uploads that are not complete yet. */
  readonly receiving: ReceivingFolder;
  /** All files that are named like those of tasks, and possibly others. */
  list(): AsyncIterable<ListedFile>;
  /** Whether files can be written, read and removed now. Answers within seconds. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;

/** @throws StartProblem where the first check fails */
const checkAtStart = async ({ check }: Probe, explain: (error: unknown) => string): Promise<void> => {
  try {
    await check();
  } catch (error) {
    throw new StartProblem(explain(error), { cause: error });
  }
};

const openFolder = async (path: string): Promise<SharedFiles> => {
  const explain = (error: unknown): string =>
    `The folder ${path} of the cluster's files cannot be used: ${messageOf(causeOf(error))}`;
  const folders = { input: join(path, 'input'), output: join(path, 'output') };
  try {
    await createFolder(folders.output);
    const receiving = await openSharedReceivingFolder(folders);
    const storage = createStorage(folders);
    const { ino } = await stat(path);
    // A process that is killed during a check leaves a file, so this folder is one that loses old files.
    const checked = receivingPath(folders);
    const checkedStorage = createStorage({ input: checked, output: checked });
    const probe = createProbe(async () => {
      // Without its network file system, the folder is an empty one of this machine.
      if ((await stat(path)).ino !== ino) throw new Error('The folder is not mounted any more.');
      await tryStorage(checkedStorage);
    });
    await checkAtStart(probe, explain);
    return {
      ...{ storage, receiving, isAvailable: probe.isAvailable },
      list: () => listFiles(folders),
      close: async () => undefined,
    };
  } catch (error) {
    throw error instanceof StartProblem ? error : new StartProblem(explain(error), { cause: error });
  }
};

/** Other users of this machine could otherwise read uploads, or direct them elsewhere by a link. */
const requireOwnFolder = async (path: string): Promise<void> => {
  await createFolder(path);
  const found = await lstat(path);
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) {
    throw new StartProblem(`The folder for temporary files ${path} belongs to another user.`);
  }
};

const openS3 = async (
  location: Extract<FileLocation, { kind: 's3' }>,
  { newPath }: TemporaryFiles,
): Promise<SharedFiles> => {
  const storage = createS3Storage(location, { newPath });
  const probe = createProbe(() => tryStorage(storage));
  await checkAtStart(probe, explainS3).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const moveTo: ReceivingFolder['moveTo'] = async (path, key) => {
    await storage.writeFile(key, path);
    await rm(path, { force: true });
  };
  return {
    storage,
    receiving: { newPath, moveTo, places: [] },
    list: storage.list,
    isAvailable: probe.isAvailable,
    close: storage.close,
  };
};

/**
 * Opens the files of a cluster, and checks that they can be written, read and removed.
 *
 * @param temporaryFolder on this machine, for files on their way to S3 and for jobs; created, and what was written there
 *   a day ago is removed
 * @throws StartProblem where they cannot be used, within seconds
 */
export const openFiles = async (location: FileLocation, temporaryFolder: string): Promise<SharedFiles> => {
  await requireOwnFolder(temporaryFolder);
  const temporary = await openTemporaryFilesOfHosts(temporaryFolder);
  return location.kind === 'folder' ? openFolder(location.path) : openS3(location, temporary);
};
