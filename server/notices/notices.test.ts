import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { licenceOf, requireAllowed, lockPackages, noticePackages } from './notice-packages';
import { familyOf, renderLicenceTexts, renderNotice } from './render-notices';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const packages = noticePackages(ROOT);
const [notice, texts] = [read('NOTICE.md'), read('THIRD-PARTY-LICENSES.txt')];

const versions = new Map(lockPackages(read('package-lock.json')).map(({ path, version }) => [path, version]));
/** The packages in a bundle, with their versions. */
const bundledIn = (bundle: 'page' | 'server'): readonly string[] =>
  (JSON.parse(read(`server/notices/${bundle}-packages.json`)) as string[]).map((path) => {
    const name = path.split('/node_modules/').at(-1)!;
    return `${familyOf(name)} ${versions.get(`node_modules/${path}`)}`;
  });

/** The packages of a place in the list, with their versions. */
const packagesOf = (place: 'PAGE' | 'SERVER'): readonly string[] => {
  const [, section = ''] = texts.split(`PACKAGES OF THE ${place}: `);
  const lines = section.split(/\n(?:PACKAGES|=)/)[0]!.matchAll(/^- .*?: (.*)$/gm);
  return [...lines].flatMap(([, list = '']) => list.split(', '));
};
const nameOf = (packageAndVersion: string): string => packageAndVersion.split(' ')[0]!;

describe('the notices', () => {
  it('are up to date with `npm run notices`', () => {
    expect(notice === renderNotice(), 'NOTICE.md is up to date').toBe(true);
    expect(texts === renderLicenceTexts(packages), 'THIRD-PARTY-LICENSES.txt is up to date').toBe(true);
  });

  it('name every package of a production install, with its version', () => {
    const production = lockPackages(read('package-lock.json')).filter(({ isDev }) => !isDev);
    expect(production.length).toBeGreaterThan(50);
    const listed = [...packagesOf('PAGE'), ...packagesOf('SERVER')];
    for (const each of production) {
      expect(listed).toContain(`${familyOf(each.name)} ${each.version}`);
    }
  });

  it('name every package that is bundled into the page', () => {
    const bundled = bundledIn('page');
    expect(bundled.map(nameOf)).toEqual(
      expect.arrayContaining(['react', 'mediabunny', 'onnxruntime-web', '@ffmpeg/core']),
    );
    expect(packagesOf('PAGE')).toEqual(expect.arrayContaining([...bundled]));
  });

  it('name every package that is bundled into the server', () => {
    const bundled = bundledIn('server');
    expect(bundled.map(nameOf)).toEqual(
      expect.arrayContaining(['mediabunny', 'onnxruntime-node', 'typebox', 'bullmq']),
    );
    const named = [...packagesOf('PAGE'), ...packagesOf('SERVER')];
    expect(named).toEqual(expect.arrayContaining([...bundled]));
  });

  it('have a licence text for every package', () => {
    for (const { name, version } of packages) expect(texts).toContain(`${familyOf(name)} ${version}`);
  });

  it('list x264 and x265 for the codec package and ffmpeg.wasm', () => {
    for (const name of ['@napi-rs/webcodecs-\\*', '@ffmpeg/core']) {
      expect(notice).toMatch(new RegExp(`^\\| ${name} \\| GPL-2.0-or-later \\| .*x264.*x265`, 'm'));
    }
    expect(texts).toContain('GNU GENERAL PUBLIC LICENSE');
  });
});

describe('a licence', () => {
  it('that is not on the list of allowed ones is refused', () => {
    expect(() => requireAllowed('some-package', 'SSPL-1.0')).toThrow('some-package is under SSPL-1.0');
    expect(() => requireAllowed('some-package', 'MIT OR AGPL-3.0')).toThrow('AGPL-3.0');
  });

  it('of the GPL is refused, except for listed packages and as one of several choices', () => {
    expect(() => requireAllowed('some-package', 'GPL-2.0-or-later')).toThrow('under the GPL');
    expect(() => requireAllowed('@ffmpeg/core', 'GPL-2.0-or-later')).not.toThrow();
    expect(() => requireAllowed('some-package', 'FTL OR GPL-2.0-or-later')).not.toThrow();
  });

  it('that is not stated is refused', () => {
    expect(() => licenceOf({ name: 'some-package', licence: undefined })).toThrow('states no licence');
  });
});
