import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { createPrivateFolder, removeLeftOverFolders } from './private-folder';
import { temporaryFolder } from '../testing/temporary-folder';

const ON_LINUX = process.platform === 'linux';

beforeEach(() => {
  vi.stubEnv('TMPDIR', temporaryFolder());
  return () => vi.unstubAllEnvs();
});

it('a private folder is in the temporary folder, and only its owner may open it', async () => {
  const { path, remove } = await createPrivateFolder();
  expect(dirname(path)).toBe(process.env['TMPDIR']);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  writeFileSync(join(path, 'a.mp4'), 'pixels');
  await remove();
  expect(existsSync(path)).toBe(false);
});

it('a private folder is kept while its process runs, and removed after the process was killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const { path } = await createPrivateFolder({ pid: child.pid! });
  const own = await createPrivateFolder();
  writeFileSync(join(path, 'a.mp4'), 'pixels');
  await removeLeftOverFolders();
  expect([existsSync(path), existsSync(own.path)]).toEqual([true, true]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await removeLeftOverFolders();
  expect([existsSync(path), existsSync(own.path)]).toEqual([false, true]);
});

it.runIf(ON_LINUX)('a process with the number of an earlier one does not keep its folder', async () => {
  const { path } = await createPrivateFolder();
  const earlier = path.replace(/-\d+-(\d+)-(\w+)$/, '-1-$1-$2');
  mkdirSync(earlier);
  await removeLeftOverFolders();
  expect([existsSync(path), existsSync(earlier)]).toEqual([true, false]);
});

it.runIf(ON_LINUX)('a folder of another container is kept while it may be in use', async () => {
  const { path } = await createPrivateFolder();
  const other = path.replace(/-\d+-(\w+)$/, '-1-$1');
  mkdirSync(other);
  await removeLeftOverFolders();
  expect(existsSync(other)).toBe(true);
});

it('other files and links are left alone', async () => {
  const parent = process.env['TMPDIR']!;
  const { path, remove } = await createPrivateFolder();
  await remove();
  const ended = basename(path).replace(/^(veil-private-)\d+-\d+/, '$1999999999-1');
  const target = temporaryFolder();
  writeFileSync(join(target, 'kept'), '');
  symlinkSync(target, join(parent, ended));
  mkdirSync(join(parent, 'veil-private-other'));
  await removeLeftOverFolders();
  expect([existsSync(join(target, 'kept')), existsSync(join(parent, 'veil-private-other'))]).toEqual([
    true,
    true,
  ]);
});
