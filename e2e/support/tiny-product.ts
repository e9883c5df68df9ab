import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeServiceWorker } from '../../web/build/service-worker';
import { withStandIns } from '../../models/packs/test/recommended-stand-ins';
import { TINY_PRODUCT } from '../run/reports';
import { type RunningServer, startServer } from './start-server';
import { writeTinySet } from './tiny-set';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, TINY_PRODUCT);
/** Folder of the page of the tiny product. */
export const TINY_PAGE = join(FOLDER, 'dist/web');

/** The build creates these after the service worker has listed the files. */
const COMPRESSED = /\.(br|gz)$/;

/** The page then expects other files in place of the recommended models, at the same addresses. */
const useStandIns = (): void => {
  const folder = join(TINY_PAGE, 'assets');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const script = readFileSync(join(folder, name), 'utf8');
    const changed = withStandIns(script);
    if (changed !== script) writeFileSync(join(folder, name), changed);
  }
};

/**
 * Copies the built product and replaces its models by tiny ones.
 *
 * All files of the page are the same, except the service worker, which lists all files with their hashes, and the
 * hashes of recommended models.
 */
export const createTinyProduct = async (): Promise<void> => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(ROOT, 'dist/web'), TINY_PAGE, { recursive: true, filter: (path) => !COMPRESSED.test(path) });
  symlinkSync(join(ROOT, 'dist/server'), join(FOLDER, 'dist/server'), 'dir');
  writeTinySet(join(TINY_PAGE, 'models'));
  writeTinySet(join(FOLDER, 'models'));
  useStandIns();
  await writeServiceWorker(TINY_PAGE);
};

/** Starts a server of the tiny product, which must exist. */
export const startTinyServer = (flags: readonly string[] = []): Promise<RunningServer> =>
  startServer(flags, FOLDER);
