import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const NAME = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly name: string }).name;

/** Ways to install a package: unpacked, with the dependencies of its lock; or as a file, whose lock npm ignores. */
export const INSTALLATIONS = {
  'its own folder, from its lock': 'locked',
  'a prefix for all users': 'global',
} as const;
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

/** @returns the path of a release of this checkout, or `VEIL_TARBALL` if it is set */
export const packCheckout = (): string => {
  const given = process.env['VEIL_TARBALL'];
  if (given) return given;
  execFileSync('npm', ['run', '--silent', 'release'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const release = join(ROOT, 'dist/release');
  return join(
    release,
    readdirSync(release).find((name) => name.endsWith('.tgz'))!,
  );
};

/** Installs a tarball with npm's default settings. */
export const install = (tarball: string, folder: string, how: Installation): InstalledPackage => {
  mkdirSync(folder);
  const run = (cwd: string, program: string, ...args: readonly string[]): void => {
    execFileSync(program, args, { cwd, env: strangersEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const global = ['install', '--global', '--prefix', folder];
  const program = join(folder, 'bin/veil');
  if (how === 'global') {
    run(folder, 'npm', ...global, tarball);
    return { folder, packageFolder: join(folder, 'lib/node_modules', NAME), program };
  }
  run(folder, 'tar', '-xzf', tarball);
  const packageFolder = join(folder, 'package');
  run(packageFolder, 'npm', 'ci');
  run(packageFolder, 'npm', ...global, '.');
  return { folder, packageFolder, program };
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
