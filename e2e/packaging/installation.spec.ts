import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { samplePath } from '../support/samples';
import { encodeClip } from '../../server/testing/clips';
import { splitProducts } from '../../web/adapters/fused-products';
import {
  install,
  type InstalledPackage,
  INSTALLATIONS,
  megabytesOf,
  type OfflineServer,
  packCheckout,
  runWithoutNetwork,
  serveOffline,
} from './installed-package';

const MAX_MEGABYTES = 250;
/** Of the file itself, which has 59.8 MB. */
const MAX_FILE_BYTES = 60e6;
const VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version;

let folder: string;
let tarball: string;
let photo: Buffer;
let clip: Uint8Array;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veil-install-'));
  tarball = packCheckout();
  photo = readFileSync(samplePath(1));
  clip = await encodeClip({
    frames: Array.from(
      { length: 5 },
      (_, index) => [index * 0.04, createRaster(64, 48, (x, y) => [x, y, 128])] as const,
    ),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(INSTALLATIONS))('a package that is installed into %s', (_name, how) => {
  let installed: InstalledPackage;
  let server: OfflineServer;
  beforeAll(async () => {
    installed = install(tarball, join(folder, how), how);
    server = await serveOffline(installed.program, join(folder, `${how}-data`));
  });
  afterAll(() => server.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(server.origin + path, { headers });
  const upload = (name: string, type: string, bytes: Uint8Array): Promise<Response> => {
    const form = new FormData();
    form.append('fileobject', new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));
    return fetch(`${server.origin}/v1/file?face=true&method=blur`, { method: 'POST', body: form });
  };
  const anonymised = async (response: Response): Promise<Buffer> => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const links = (await response.json()) as {
      readonly anonymised_url?: string;
      readonly anonymized_video?: string;
    };
    const { pathname } = new URL((links.anonymised_url ?? links.anonymized_video)!);
    return Buffer.from(await (await get(pathname)).arrayBuffer());
  };

  it(`takes at most ${MAX_MEGABYTES} MB, ${MAX_FILE_BYTES / 1e6} MB packed, and contains the libraries of one platform only`, () => {
    const megabytes = megabytesOf(installed.folder);
    console.log(
      `${how}: ${megabytes} MB, of which ${megabytesOf(installed.packageFolder)} MB are the package`,
    );
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
    expect(statSync(tarball).size).toBeLessThanOrEqual(MAX_FILE_BYTES);
    const libraries = join(installed.packageFolder, 'dist/server/bin/napi-v6');
    expect([readdirSync(libraries), readdirSync(join(libraries, process.platform))]).toEqual([
      [process.platform],
      [process.arch],
    ]);
    for (const name of ['onnxruntime-node', 'onnxruntime-web', 'react', 'msw', 'vite', '@ffmpeg', 'bullmq']) {
      expect(existsSync(join(installed.packageFolder, 'node_modules', name))).toBe(false);
    }
  });

  it('contains the packages of its lock, with their hashes', ({ skip }) => {
    if (how !== 'locked') return skip('npm ignores the lock of a file');
    const lockedBy = (file: string): Readonly<Record<string, unknown>> => {
      const lock = readFileSync(join(installed.packageFolder, file), 'utf8');
      const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { integrity?: string }>> };
      return Object.fromEntries(
        Object.entries(packages).flatMap(([path, { integrity }]) => (path === '' ? [] : [[path, integrity]])),
      );
    };
    const installedPackages = lockedBy('node_modules/.package-lock.json');
    expect(Object.keys(installedPackages).length).toBeGreaterThan(100);
    expect(lockedBy('npm-shrinkwrap.json')).toMatchObject(installedPackages);
    for (const path of Object.keys(installedPackages)) {
      expect(existsSync(join(installed.packageFolder, path, 'package.json')), path).toBe(true);
    }
  });

  it('prints its version, and hides faces in a photo and a clip without a network', async ({ skip }) => {
    const [input, output] = ['in', 'out'].map((name) => join(folder, `${how}-${name}`)) as [string, string];
    mkdirSync(input);
    writeFileSync(join(input, 'photo.jpg'), photo);
    writeFileSync(join(input, 'clip.mp4'), clip);
    const version = runWithoutNetwork(installed.program, ['--version']);
    if (version === undefined) return skip('this system cannot run a program without a network');
    expect(version).toBe(`${VERSION}\n`);
    runWithoutNetwork(installed.program, [input, '-o', output, '-a', 'face']);
    expect(readdirSync(output).sort()).toEqual(expect.arrayContaining(['clip.mp4', 'photo.jpg']));
    expect(readFileSync(join(output, 'photo.jpg')).equals(photo)).toBe(false);
    expect((await sharp(join(output, 'photo.jpg')).metadata()).format).toBe('jpeg');
  });

  it('serves the page with isolation, runtimes and models', async () => {
    const index = await get('/');
    expect(index.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(await index.text()).toContain('<title>');
    expect((await get('/docs')).status).toBe(200);
    const { models } = (await (await get('/models/manifest.json')).json()) as {
      readonly models: readonly { readonly file: string; readonly bytes: number }[];
    };
    for (const { file, bytes } of models) {
      expect((await (await get(`/models/${file}`)).arrayBuffer()).byteLength, file).toBe(bytes);
    }
    const assets = readdirSync(join(installed.packageFolder, 'dist/web/assets'));
    const runtimes = assets.filter((name) => name.endsWith('.wasm.br')).map((name) => name.slice(0, -3));
    expect(runtimes.length).toBeGreaterThan(2);
    for (const name of runtimes) {
      for (const encoding of ['br', 'identity']) {
        const response = await get(`/assets/${name}`, { 'accept-encoding': encoding });
        // Node 20 does not know fused products.
        const module = splitProducts(new Uint8Array(await response.arrayBuffer()));
        expect(WebAssembly.validate(module), `${name} ${encoding}`).toBe(true);
      }
    }
    const [script] = /assets\/[\w-]+\.js/.exec(await (await get('/')).text())!;
    for (const encoding of ['br', 'identity']) {
      const response = await get(`/${script}`, { 'accept-encoding': encoding });
      expect([response.status, response.headers.get('content-type')], encoding).toEqual([
        200,
        'application/javascript; charset=utf-8',
      ]);
      expect(await response.text(), encoding).toContain('export');
    }
  });

  it('hides faces in a photo and a clip by its API', async () => {
    expect((await get('/healthz')).status).toBe(200);
    const result = await anonymised(await upload('photo.jpg', 'image/jpeg', photo));
    expect([result.equals(photo), (await sharp(result).metadata()).format]).toEqual([false, 'jpeg']);
    const video = await anonymised(await upload('clip.mp4', 'video/mp4', clip));
    expect(video.subarray(4, 8).toString()).toBe('ftyp');
  });

  it('connects to no other machine', () => {
    expect(server.refused()).toBe('');
  });
});
