import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const NAME = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly name: string }).name;

/** Ways to install a package, with the arguments of `npm install`. */
export const INSTALLATIONS = { 'an empty folder': 'folder', 'a prefix for all users': 'global' } as const;
export type Installation = (typeof INSTALLATIONS)[keyof typeof INSTALLATIONS];

export interface InstalledPackage {
  /** Folder of the whole installation. */
  readonly folder: string;
  /** Folder of the installed package. */
  readonly packageFolder: string;
  /** The program that npm linked into the path. */
  readonly program: string;
}

/**
 * The environment of a user without this checkout: `npm run` passes the settings of the project's `.npmrc` to all
 * programs that it starts.
 */
export const strangersEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VEIL_|NODE_OPTIONS$)/i.test(name) || name.toLowerCase() === 'npm_config_registry',
    ),
  );

/** @returns the path of a tarball of this checkout, or `VEIL_TARBALL` if it is set */
export const packCheckout = (into: string): string => {
  const given = process.env['VEIL_TARBALL'];
  if (given) return given;
  execFileSync('npm', ['pack', '--silent', '--pack-destination', into], { cwd: ROOT, stdio: 'inherit' });
  return join(
    into,
    readdirSync(into).find((name) => name.endsWith('.tgz'))!,
  );
};

/** Installs a tarball with npm's default settings. */
export const install = (tarball: string, folder: string, how: Installation): InstalledPackage => {
  mkdirSync(folder);
  const flags = how === 'global' ? ['--global', '--prefix', folder] : [];
  const npm = ['install', ...flags, tarball];
  execFileSync('npm', npm, {
    cwd: folder,
    env: strangersEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const modules = join(folder, how === 'global' ? 'lib/node_modules' : 'node_modules');
  return {
    folder,
    packageFolder: join(modules, NAME),
    program: how === 'global' ? join(folder, 'bin/veil') : join(modules, '.bin/veil'),
  };
};

/** Size of a folder on disk, as `du -sm` prints it. */
export const megabytesOf = (folder: string): number =>
  Number.parseInt(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }), 10);

/** Runs the program in a network namespace without connections. Undefined if this system does not support that. */
export const runWithoutNetwork = (program: string, args: readonly string[]): string | undefined => {
  if (spawnSync('unshare', ['-rn', 'true']).status !== 0) return undefined;
  return execFileSync('unshare', ['-rn', program, ...args], {
    env: strangersEnvironment(),
    encoding: 'utf8',
  });
};

export interface OfflineServer {
  readonly origin: string;
  /** Hosts to which it tried to connect. */
  refused(): string;
  stop(): Promise<void>;
}

/** Starts the server with connections to other machines refused. */
export const serveOffline = async (program: string, folder: string): Promise<OfflineServer> => {
  mkdirSync(folder);
  const notes = join(folder, 'refused');
  writeFileSync(notes, '');
  const env = {
    ...strangersEnvironment(),
    VEIL_REFUSED: notes,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'refuse-network.mjs')}`,
  };
  const folders = ['--input', join(folder, 'input'), '--output', join(folder, 'output')];
  const child = spawn(program, ['--port', '0', ...folders], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The server ended with status ${code}`)));
  });
  let printed = '';
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const [, origin] = /ready at (\S+)/.exec(printed) ?? [];
      if (origin) resolve(origin);
    });
  });
  const origin = await Promise.race([ready, ended]);
  return {
    origin,
    refused: () => (existsSync(notes) ? readFileSync(notes, 'utf8') : ''),
    stop: async () => {
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
    },
  };
};
