import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeServiceWorker } from '../../web/build/service-worker';
import { TINY_PRODUCT } from '../run/reports';
import { type RunningServer, startServer } from './start-server';
import { writeTinySet } from './tiny-set';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, TINY_PRODUCT);
/** Folder of its page. */
export const TINY_PAGE = join(FOLDER, 'dist/web');

/** Made after the service worker listed the files, so that it does not list these. */
const COMPRESSED = /\.(br|gz)$/;

/**
 * Copies the built product with models of a kilobyte in the place of its own.
 *
 * The page is the same, file by file, but for its service worker, which lists all files by hash.
 */
export const createTinyProduct = async (): Promise<void> => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(ROOT, 'dist/web'), TINY_PAGE, { recursive: true, filter: (path) => !COMPRESSED.test(path) });
  symlinkSync(join(ROOT, 'dist/server'), join(FOLDER, 'dist/server'), 'dir');
  writeTinySet(join(TINY_PAGE, 'models'));
  writeTinySet(join(FOLDER, 'models'));
  await writeServiceWorker(TINY_PAGE);
};

/** Starts a server of that product, once it was made. */
export const startTinyServer = (flags: readonly string[] = []): Promise<RunningServer> =>
  startServer(flags, FOLDER);
