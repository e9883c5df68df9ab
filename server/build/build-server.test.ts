import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { libraryFolder, onlyInstalledPackages } from './vite-plugins';

const buildFrom = async (source: string): Promise<string> => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'package.json'), '{"type":"module","dependencies":{"@scope/part":"1.0.0"}}');
  writeFileSync(join(root, 'main.js'), source);
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [onlyInstalledPackages(join(root, 'package.json'))],
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
});
