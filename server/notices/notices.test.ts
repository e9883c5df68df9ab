import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { licenceOf, requireAllowed } from './licences';
import { lockPackages } from './lock-packages';
import { noticePackages } from './notice-packages';
import { familyOf, renderLicenceTexts, renderNotice } from './render-notices';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const packages = noticePackages(ROOT);
const [notice, texts] = [read('NOTICE.md'), read('THIRD-PARTY-LICENSES.txt')];

describe('the notices', () => {
  it('are those that `npm run notices` writes', () => {
    expect(notice === renderNotice(packages), 'NOTICE.md is up to date').toBe(true);
    expect(texts === renderLicenceTexts(packages), 'THIRD-PARTY-LICENSES.txt is up to date').toBe(true);
  });

  it('name every package that a production install brings, with version and licence', () => {
    const production = lockPackages(read('package-lock.json')).filter(({ isDev }) => !isDev);
    expect(production.length).toBeGreaterThan(50);
    for (const each of production) {
      expect(notice).toContain(`| ${familyOf(each.name)} | ${each.version} |`);
    }
  });

  it('name every package that is part of the page, whatever section of package.json it is in', () => {
    const bundled = JSON.parse(read('server/notices/page-packages.json')) as string[];
    expect(bundled).toEqual(
      expect.arrayContaining(['react', 'mediabunny', 'onnxruntime-web', '@ffmpeg/core']),
    );
    for (const name of bundled) expect(notice).toMatch(new RegExp(`^\\| ${name} \\| .* \\| page \\|$`, 'm'));
  });

  it('name every package that is part of the built server', () => {
    const bundled = JSON.parse(read('server/notices/server-packages.json')) as string[];
    expect(bundled).toEqual(expect.arrayContaining(['mediabunny', 'onnxruntime-node', 'typebox']));
    for (const name of bundled) expect(notice).toMatch(new RegExp(`^\\| ${name} \\|`, 'm'));
  });

  it('have a licence text for every package', () => {
    for (const { name, version } of packages) expect(texts).toContain(`${familyOf(name)} ${version}`);
  });

  it('say that the codec package and ffmpeg.wasm hold x264 and x265', () => {
    for (const name of ['@napi-rs/webcodecs-\\*', '@ffmpeg/core']) {
      expect(notice).toMatch(new RegExp(`^\\| ${name} \\| GPL-2.0-or-later \\| .*x264.*x265`, 'm'));
    }
    expect(texts).toContain('GNU GENERAL PUBLIC LICENSE');
  });
});

describe('a licence', () => {
  it('that nobody has reviewed is refused', () => {
    expect(() => requireAllowed('some-package', 'SSPL-1.0')).toThrow('some-package is under SSPL-1.0');
    expect(() => requireAllowed('some-package', 'MIT OR AGPL-3.0')).toThrow('AGPL-3.0');
  });

  it('that is the GPL is refused but for parts that can be left out', () => {
    expect(() => requireAllowed('some-package', 'GPL-2.0-or-later')).toThrow('under the GPL');
    expect(() => requireAllowed('@ffmpeg/core', 'GPL-2.0-or-later')).not.toThrow();
    expect(() => requireAllowed('some-package', 'FTL OR GPL-2.0-or-later')).not.toThrow();
  });

  it('that nothing states is refused', () => {
    expect(() => licenceOf({ name: 'some-package', licence: undefined })).toThrow('states no licence');
  });
});
