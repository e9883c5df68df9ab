import { lstat, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '#shared/ports/storage';
import { listFiles, type ListedFile } from '../adapters/list-files';
import { explainS3 } from '../adapters/s3/s3-connection';
import { createS3Storage } from '../adapters/s3/s3-storage';
import { createFolder, createStorage } from '../adapters/storage';
import { StartProblem } from '../cli/start-problem';
import {
  type ReceivingFolder,
  type TemporaryFiles,
  openSharedReceivingFolder,
  openTemporaryFilesOfHosts,
  receivingPath,
} from '../http/receiving-folder';
import type { FileLocation } from './file-location';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** A hung network folder or a service that does not answer counts as unavailable after this time. */
const PROBE_MS = 8000;
/** A worker that takes many small tasks does not probe before each of them. */
const FRESH_MS = 2000;

class ProbeFailed extends Error {
  override readonly name: string = 'ProbeFailed';
}

class NoAnswer extends ProbeFailed {
  override readonly name = 'TimeoutError';
}

/** Writes a file, reads it and removes it. @throws where one of these fails */
const tryStorage = async (storage: Storage): Promise<void> => {
  const folder = `output/probe-${randomUUID()}/`;
  const key = `${folder}probe`;
  const text = randomUUID();
  await storage.write(key, new TextEncoder().encode(text));
  const bytes = await storage.read(key);
  await storage.remove(folder);
  if (new TextDecoder().decode(bytes) !== text) {
    throw new ProbeFailed('A file could be written, and could not be read.');
  }
  if ((await storage.open(key)) !== undefined) throw new ProbeFailed('A file could not be removed.');
};

/** Checks a service, and answers in time. */
interface Probe {
  /** @throws the reason why the service is not available, also where it does not answer in time */
  check(): Promise<void>;
  /** Whether the last check, which is not older than a few seconds, succeeded. */
  isAvailable(): Promise<boolean>;
}

/**
 * Creates a probe. One check runs at a time: a hung network folder blocks a thread for each of its calls.
 *
 * @param run rejects where the service is not available
 */
export const createProbe = (run: () => Promise<void>, timeoutMs = PROBE_MS): Probe => {
  let running: Promise<void> | undefined;
  let succeededMs = -Infinity;
  const runOnce = async (): Promise<void> => {
    try {
      await run();
      succeededMs = performance.now();
    } finally {
      running = undefined;
    }
  };
  const check = async (): Promise<void> => {
    running ??= runOnce();
    const answered = new AbortController();
    const timeout = wait(timeoutMs, undefined, { signal: answered.signal, ref: false }).then(() => {
      throw new NoAnswer(`No answer within ${timeoutMs / 1000} s.`);
    });
    // Ends by an error, too, when the answer comes in time.
    timeout.catch(() => undefined);
    try {
      await Promise.race([running, timeout]);
    } finally {
      answered.abort();
    }
  };
  return {
    check,
    isAvailable: async () => {
      if (performance.now() - succeededMs < FRESH_MS) return true;
      return check().then(
        () => true,
        () => false,
      );
    },
  };
};

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
