import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isForPlatform, type Lock, type LockEntry, shrinkwrapOf, releaseManifest } from './shrinkwrap';

const CHECKOUT = {
  name: '@scope/name',
  version: '1.2.3',
  bin: { name: 'bin.mjs' },
  dependencies: { part: '1.0.0' },
  devDependencies: { tool: '1.0.0' },
  imports: { '#shared/*': './shared/*.ts' },
  overrides: {
    part: { detail: '2.0.0' },
    tool: { compiler: '$compiler' },
    other: { native: 'npm:nothing@1.0.0' },
  },
  allowScripts: { tool: false },
  scripts: { prepack: 'tool' },
};

describe('the package.json of a release', () => {
  it('declares the platform that can run it', () => {
    expect(releaseManifest(CHECKOUT, 'linux-arm64')).toMatchObject({
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['glibc'],
    });
    expect(releaseManifest(CHECKOUT, 'darwin-x64')).not.toHaveProperty('libc');
  });

  it('has no fields that only a checkout uses, and of the overrides those that set a version', () => {
    const { name, version, bin, dependencies } = CHECKOUT;
    expect(releaseManifest(CHECKOUT, 'win32-x64')).toEqual({
      ...{ name, version, bin, dependencies },
      overrides: { part: { detail: '2.0.0' } },
      os: ['win32'],
      cpu: ['x64'],
    });
  });
});

const ROOT = join(import.meta.dirname, '../..');
const LOCK = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;

/** Platform of each machine on which `release.yml` builds. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'ubuntu-24.04': 'linux-x64',
  'ubuntu-24.04-arm': 'linux-arm64',
};
const RUNNERS = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8').matchAll(
  /runner: ([\w.-]+)/g,
);
const RELEASED = [...RUNNERS].map(([, runner = '']) => PLATFORMS[runner] ?? runner);

/** Packages that the registry did not serve where the lock file was written. A release looks their values up. */
const LOOKED_UP: readonly string[] = ['node_modules/@napi-rs/webcodecs-linux-arm64-gnu'];

const found = (name: string, version: string): string => `sha512-of-${name}@${version}`;

describe('package-lock.json', () => {
  it.each(RELEASED)('has an integrity value for each package that is installed on %s', (platform) => {
    const entries = Object.entries(LOCK.packages).filter(([path]) => path !== '');
    const own = entries.filter(([path, entry]) => isForPlatform(path, entry, platform));
    expect(own.length).toBeGreaterThan(500);
    const missing = own.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(missing.map(([path]) => path).filter((path) => !LOOKED_UP.includes(path))).toEqual([]);
  });

  it('names no registry and no other source, so that each machine uses its own registry', () => {
    const named = Object.entries(LOCK.packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(named).toEqual([]);
  });
});

describe('an entry of a lock file', () => {
  const isForArm = (name: string, entry: LockEntry = {}): boolean =>
    isForPlatform(`node_modules/${name}`, entry, 'linux-arm64');

  it.each([
    ['fastify', {}],
    ['@scope/part-linux-arm64', { os: ['linux'], cpu: ['arm64'] }],
    ['@scope/part-linux-arm64-gnu', {}],
    ['@scope/linux-arm64-gnu', {}],
  ])('is for a platform: %s %j', (name, entry) => {
    expect(isForArm(name, entry)).toBe(true);
  });

  it.each([
    ['@scope/part-linuxmusl-arm64', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['@scope/linux-arm64-musl', { os: ['linux'], cpu: ['arm64'] }],
    ['@scope/part', { os: ['win32'] }],
    ['@scope/part-darwin-arm64', {}],
    ['part-linux-x64-gnu', {}],
    ['part-win32-arm64-msvc', {}],
  ])('is for other platforms: %s %j', (name, entry) => {
    expect(isForArm(name, entry)).toBe(false);
  });
});

describe('the shrinkwrap of a package', () => {
  const lock: Lock = {
    lockfileVersion: 3,
    packages: {
      '': { name: 'veil', dependencies: { codec: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
      'node_modules/codec': {
        ...{ version: '1.0.0', integrity: 'sha512-a' },
        optionalDependencies: { 'codec-linux-x64': '1.0.0', 'codec-win32-x64': '1.0.0', native: '3.0.0' },
      },
      'node_modules/codec-linux-x64': { version: '1.0.0', devOptional: true },
      'node_modules/codec-win32-x64': { version: '1.0.0', optional: true },
      'node_modules/codec/node_modules/native': { ...{ name: 'stub', version: '7.0.0' }, optional: true },
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-b', dev: true },
    },
  };

  it('lists what a production install on its platform contains, each with an integrity value', () => {
    expect(shrinkwrapOf(lock, 'linux-x64', found)).toEqual({
      lockfileVersion: 3,
      packages: {
        '': { name: 'veil', dependencies: { codec: '1.0.0' } },
        'node_modules/codec': {
          ...{ version: '1.0.0', integrity: 'sha512-a' },
          optionalDependencies: { 'codec-linux-x64': '1.0.0' },
        },
        'node_modules/codec-linux-x64': {
          ...{ version: '1.0.0', optional: true, integrity: 'sha512-of-codec-linux-x64@1.0.0' },
        },
      },
    });
  });

  it('is not made if the integrity value of a package is unknown', () => {
    expect(() => shrinkwrapOf(lock, 'linux-x64', () => undefined)).toThrow(
      'codec-linux-x64@1.0.0 has no integrity value',
    );
  });

  it.each(RELEASED)('contains the dependencies of package.json on %s', (platform) => {
    const { packages } = shrinkwrapOf(LOCK, platform, found);
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});
