import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeServiceWorker } from '../../web/build/service-worker';
import { TINY_PRODUCT } from '../run/reports';
import { type RunningServer, startServer } from './start-server';
import { writeTinySet } from './tiny-set';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, TINY_PRODUCT);
/** Folder of the page of the tiny product. */
export const TINY_PAGE = join(FOLDER, 'dist/web');

/** The build creates these after the service worker has listed the files. */
const COMPRESSED = /\.(br|gz)$/;

/**
 * Copies the built product and replaces its models by tiny ones.
 *
 * All files of the page are the same, except the service worker, which lists all files with their hashes.
 */
export const createTinyProduct = async (): Promise<void> => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(ROOT, 'dist/web'), TINY_PAGE, { recursive: true, filter: (path) => !COMPRESSED.test(path) });
  symlinkSync(join(ROOT, 'dist/server'), join(FOLDER, 'dist/server'), 'dir');
  writeTinySet(join(TINY_PAGE, 'models'));
  writeTinySet(join(FOLDER, 'models'));
  await writeServiceWorker(TINY_PAGE);
};

/** Starts a server of the tiny product, which must exist. */
export const startTinyServer = (flags: readonly string[] = []): Promise<RunningServer> =>
  startServer(flags, FOLDER);
