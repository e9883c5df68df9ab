import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { deleteOtherLibraries, libraryFolder, onnxruntimeLibrary } from './onnxruntime-library';
import { onlyInstalledPackages } from './only-installed-packages';

const buildFrom = async (source: string, plugins: readonly Plugin[] = []): Promise<string> => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'package.json'), '{"type":"module","dependencies":{"@scope/part":"1.0.0"}}');
  writeFileSync(join(root, 'main.js'), source);
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [onlyInstalledPackages(join(root, 'package.json')), ...plugins],
    ssr: { external: true },
    build: { ssr: 'main.js', rolldownOptions: { external: [/^@?[a-z]/] } },
  });
  return join(root, 'dist/main.js');
};

describe('a build of the server', () => {
  it('may import Node’s modules and dependencies, including their subpaths', async () => {
    const built = await buildFrom(
      "import fs from 'fs'; import { join } from 'node:path'; import part from '@scope/part/types'; part(fs, join);",
    );
    expect(existsSync(built)).toBe(true);
  });

  it.each(["import tool from 'tool/part'; tool();", "await import('tool');"])(
    'fails if it imports a package that is not a dependency: %s',
    async (source) => {
      await expect(buildFrom(source)).rejects.toThrow(
        'main.js imports tool, which is not installed with the server: make it a dependency, or bundle it (server/vite.config.ts).',
      );
    },
  );
});

describe('the onnxruntime library of a build', () => {
  it('is that of this machine or of the chosen platform', () => {
    expect(libraryFolder()).toBe(`bin/napi-v6/${process.platform}/${process.arch}`);
    expect(libraryFolder('linux-arm64')).toBe('bin/napi-v6/linux/arm64');
  });

  it.each(['', 'linux', 'linux-arm64/..', 'beos-x64'])(
    'is refused for an unknown platform: %s',
    (platform) => {
      expect(() => libraryFolder(platform)).toThrow('VEIL_PACK_PLATFORM must be like linux-arm64');
    },
  );

  const packageWith = (...platforms: readonly string[]): string => {
    const folder = temporaryFolder();
    for (const platform of platforms) mkdirSync(join(folder, 'bin/napi-v6', platform), { recursive: true });
    return folder;
  };
  const platformsIn = (folder: string): readonly string[] => {
    const found = readdirSync(join(folder, 'bin/napi-v6'), { recursive: true, encoding: 'utf8' });
    return found.filter((path) => /[/\\]/.test(path));
  };
  const own = join(process.platform, process.arch);
  const others = [join('plan9', process.arch), join(process.platform, 'z80')];

  it('is the only one that a checkout keeps', async () => {
    const folder = packageWith(own, ...others);
    await deleteOtherLibraries(folder);
    expect(platformsIn(folder)).toEqual([own]);
  });

  it('leaves the others where this machine has none', async () => {
    const folder = packageWith(...others);
    await deleteOtherLibraries(folder);
    expect([...platformsIn(folder)].toSorted()).toEqual(others.toSorted());
  });

  it('is not looked for in a checkout without the packages for development', () => {
    const script = join(temporaryFolder(), 'delete-other-libraries.mjs');
    copyFileSync(join(import.meta.dirname, 'delete-other-libraries.mjs'), script);
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('is missing for another platform in such a checkout, and the build says which command installs it', async () => {
    const target = process.platform === 'darwin' ? 'win32-arm64' : 'darwin-arm64';
    vi.stubEnv('VEIL_PACK_PLATFORM', target);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(buildFrom('', [onnxruntimeLibrary(packageWith(own))])).rejects.toThrow(
      `bin/napi-v6/${target.replace('-', '/')} is missing in onnxruntime-node: "npm ci --ignore-scripts" installs all platforms.`,
    );
  });
});
