import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Untracked files that a checkout may contain: builds, results, secrets, packs of models. */
const UNTRACKED = [
  'dist/server/main.js',
  'dist/server/assets/onnxruntime-abc.js',
  'dist/server/bin/napi-v6/linux/x64/libonnxruntime.so.1',
  'dist/server/bin/napi-v6/linux/x64/onnxruntime_binding.node',
  'dist/server/workers/engine-worker.js',
  'dist/server/workers/inference-worker.js',
  'dist/web/index.html',
  'dist/web/index.html.br',
  'dist/web/index.html.gz',
  'dist/web/sw.js',
  'dist/web/assets/index-abc.js',
  'dist/web/assets/index-abc.js.br',
  'dist/web/assets/index-abc.js.gz',
  'dist/web/assets/runtime-abc.wasm',
  'dist/web/assets/runtime-abc.wasm.br',
  'dist/web/assets/runtime-abc.wasm.gz',
  'dist/web/models/manifest.json',
  'dist/web/models/face-centers.onnx',
  'dist/release/veil.tgz',
  'npm-shrinkwrap.json',
  'models/installed/packs.json',
  'models/installed/pack.onnx',
  'test-results/report.json',
  '.env',
  '.veil/output/tasks.sqlite',
  'server/.env',
  'dist/server/.env.local',
  'node_modules/fastify/index.js',
];

/** A folder with all files of a checkout, empty. */
const checkout = mkdtempSync(join(tmpdir(), 'veil-checkout-'));
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

/** The paths that `npm pack` includes. */
const packedFiles = (): readonly string[] => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const path of [...tracked.split('\0').filter(Boolean), ...UNTRACKED]) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), '');
  }
  writeFileSync(join(checkout, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [packed] = JSON.parse(listed) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return packed!.files.map(({ path }) => path);
};

describe('a package', () => {
  const files = packedFiles();

  it('contains the launcher, the server, the page, the models, the lock and the notices', () => {
    const { models } = JSON.parse(readFileSync(join(ROOT, 'models/manifest.json'), 'utf8')) as {
      readonly models: readonly { readonly file: string }[];
    };
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'npm-shrinkwrap.json',
        'README.md',
        'LICENSE',
        'NOTICE.md',
        'models/NOTICE.md',
        'models/LICENSE-Apache-2.0.txt',
        'models/manifest.json',
        ...models.map(({ file }) => `models/${file}`),
        'server/bin/veil.mjs',
        ...UNTRACKED.filter((path) => /^dist\/server\/[^.]/.test(path)),
        'dist/web/index.html',
        'dist/web/index.html.br',
        'dist/web/sw.js',
        'dist/web/assets/index-abc.js.br',
        'dist/web/assets/runtime-abc.wasm.br',
        'dist/web/models/manifest.json',
      ]),
    );
  });

  it('contains runtimes and scripts of the page only compressed, and models only once', () => {
    const other = /assets\/.*[.](wasm|js)([.]gz)?$|^dist\/web\/.*[.]onnx$/;
    expect(files.filter((path) => path.startsWith('dist/web/') && other.test(path))).toEqual([]);
  });

  it('contains no sources, tests, results, secrets or installed packs', () => {
    const own =
      /^(server\/bin\/veil[.]mjs|dist\/(server|web)\/|docs\/use\/images\/)|[.](onnx|md|txt)$|^LICENSE$|(package|manifest|npm-shrinkwrap)[.]json$/;
    expect(files.filter((path) => !own.test(path))).toEqual([]);
    const foreign =
      /(^|\/)([.]|node_modules|test|installed|train|eval|e2e|packaging)|[.]tsx?$|[.]map$|dist\/release/;
    expect(files.filter((path) => foreign.test(path))).toEqual([]);
  });
});
