import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from './testing/built-program';
import { temporaryFolder } from './testing/temporary-folder';

const REPOSITORY = join(import.meta.dirname, '..');

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
const node = (...args: string[]): Run =>
  spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8', timeout: 150_000 });

const write = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const program = (says: string): string =>
  `export const main = async (args, root) => console.log(${JSON.stringify(says)}, args.join(' '), root);`;

/** A published package: built, without sources and build tools. */
const publishedPackage = (): string => {
  const root = temporaryFolder();
  cpSync(join(REPOSITORY, 'server/bin'), join(root, 'server/bin'), { recursive: true });
  write(root, 'package.json', '{"type":"module"}');
  write(root, 'dist/server/main.js', program('published'));
  write(root, 'dist/web/index.html', '');
  return root;
};

/** A checkout with a page and a server of one file each. */
const checkout = (): string => {
  const root = publishedPackage();
  rmSync(join(root, 'dist'), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  write(root, 'web/index.html', '<!doctype html><title>Page</title>');
  write(root, 'server/main.ts', program('first'));
  const outDir = (part: string): string => JSON.stringify(join(root, 'dist', part));
  write(
    root,
    'vite.config.ts',
    `export default { root: ${JSON.stringify(join(root, 'web'))}, build: { outDir: ${outDir('web')} } };`,
  );
  write(
    root,
    'server/vite.config.ts',
    `export default { root: ${JSON.stringify(root)}, build: { ssr: 'server/main.ts', outDir: ${outDir('server')} } };`,
  );
  return root;
};
/** Sets the time of a file clearly after the last build, independent of the clock's resolution. */
const touch = (path: string): void => {
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
};

const launch = (root: string, ...args: string[]): Run => node(join(root, 'server/bin/veil.mjs'), ...args);

describe('the launcher', () => {
  it('runs a published package without building', () => {
    const root = publishedPackage();
    const { status, stdout, stderr } = launch(root, '--port', '7001');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trim()).toBe(`published --port 7001 ${root}/`);
  });

  it('refuses a package for another platform in one sentence', () => {
    const root = publishedPackage();
    mkdirSync(join(root, 'dist/server/bin/napi-v6/plan9/z80'), { recursive: true });
    const { status, stdout, stderr } = launch(root, '--port', '7001');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `This package of Veil does not run on ${process.platform}-${process.arch}: install the one for it.\n`,
    );
  });

  it('builds a checkout once, and again after a change', () => {
    const root = checkout();
    const first = launch(root);
    expect([first.status, first.stderr]).toEqual([0, 'Building, one moment …\n']);
    expect(first.stdout).toMatch(/^first/);
    expect(existsSync(join(root, 'dist/web/index.html'))).toBe(true);

    expect(launch(root).stderr).toBe('');

    write(root, 'server/main.ts', program('second'));
    touch(join(root, 'server/main.ts'));
    const changed = launch(root);
    expect(changed.stderr).toBe('Building, one moment …\n');
    expect(changed.stdout).toMatch(/^second/);

    mkdirSync(join(root, 'dist/server/bin/napi-v6/plan9/z80'), { recursive: true }); // a build for another platform
    expect(launch(root)).toMatchObject({ status: 0, stderr: 'Building, one moment …\n' });
  });
});

describe('the program', () => {
  let built: BuiltProgram;
  beforeAll(async () => {
    built = await buildProgram();
  });
  afterAll(() => built.remove());
  const run = (...args: string[]): Run => node(built.launcher, ...args);

  it('ends with status 2 and one sentence at a wrong flag', () => {
    const { status, stdout, stderr } = run('--port', 'seven');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe('--port must be a whole number from 0 to 65535, not "seven".\n');
  });

  it('prints its version and its flags', () => {
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('--help').stdout).toContain('--save-mask');
  });
});
