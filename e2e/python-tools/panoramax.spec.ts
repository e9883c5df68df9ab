import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findService } from '../../server/testing/services/install';
import { findPostgres, startPostgres, type PostgresServer } from '../../server/testing/services/postgres';
import { runProgram } from '../clients/programs';
import { freePort } from '../support/free-port';
import { smallSample } from '../support/samples';
import { startServer, type RunningServer } from '../support/start-server';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/panoramax');
/** Kept between runs, because the packages are downloaded. */
const VENV = join(ROOT, '.cache/panoramax');
const LIMIT_MS = 1_200_000;
const WAIT = { timeout: 600_000, interval: 1000 };
const IMAGES = 10;
const SAMPLES = 6;
/** From this difference of a colour value a pixel is hidden: copied blocks are equal, encoded ones nearly. */
const HIDDEN = 40;
const HIDDEN_SHARE = 0.002;

const programs = await findPostgres();
const postgis = await findService({
  service: 'PostGIS',
  program: 'postgis.control',
  aptPackage: 'postgresql-postgis',
  folders: ['/usr/share/postgresql/*/extension'],
});

const own = (name: string): string => join(import.meta.dirname, name);
const at = (name: string): string => join(FOLDER, name);
const installed = (name: string): string => join(VENV, 'bin', name);

let [veil, panoramax]: readonly [RunningServer?, ChildProcess?] = [];
let postgres: PostgresServer | undefined;
let origin: string;

beforeAll(async () => {
  if (programs === undefined || postgis === undefined) return;
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(at('files'), { recursive: true });
  if (!existsSync(VENV)) await runProgram('python3', ['-m', 'venv', VENV], { timeoutMs: LIMIT_MS });
  const install = ['install', '--quiet', '--requirement', own('panoramax-requirements.txt')];
  await runProgram(installed('pip'), install, { timeoutMs: LIMIT_MS });
  postgres = await startPostgres(programs);
  veil = await startServer(['--panoramax', '-a', 'face', '-a', 'license-plate']);
  const env = {
    ...process.env,
    DB_URL: await postgres.createDatabase(),
    FS_URL: `file://${at('files')}`,
    API_BLUR_URL: veil.origin,
    PICTURE_PROCESS_THREADS_LIMIT: '2',
    FLASK_SECRET_KEY: 'test',
  };
  await runProgram(installed('flask'), ['--app', 'geovisio', 'db', 'upgrade'], { env, timeoutMs: LIMIT_MS });
  const port = String(await freePort());
  panoramax = spawn(installed('flask'), ['--app', 'geovisio', 'run', '--port', port], {
    env,
    stdio: 'ignore',
  });
  origin = `http://127.0.0.1:${port}/api`;
  await vi.waitFor(async () => expect((await fetch(origin)).ok).toBe(true), WAIT);
}, 2 * LIMIT_MS);

afterAll(async () => {
  if (panoramax && panoramax.exitCode === null) {
    panoramax.kill();
    await once(panoramax, 'exit');
  }
  await veil?.stop();
  await postgres?.stop();
});

/** A photo with people, as a camera in a car writes it. */
const photo = async (number: number): Promise<Uint8Array<ArrayBuffer>> => {
  const position = {
    ...{ GPSLatitudeRef: 'N', GPSLatitude: `48/1 51/1 ${number}/1` },
    ...{ GPSLongitudeRef: 'E', GPSLongitude: '2/1 21/1 0/1' },
    ...{ GPSImgDirectionRef: 'T', GPSImgDirection: '77/1' },
  };
  const written = await sharp(await smallSample(1 + (number % SAMPLES)))
    .withExif({ IFD2: { DateTimeOriginal: `2024:05:06 07:08:${10 + number}` }, IFD3: position })
    .jpeg({ quality: 95 })
    .toBuffer();
  return new Uint8Array(written);
};

const json = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const response = await fetch(`${origin}${path}`, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
};

const upload = async (sequence: string, image: Uint8Array<ArrayBuffer>, place: number): Promise<string> => {
  const body = new FormData();
  body.append('position', String(place));
  body.append('picture', new Blob([image], { type: 'image/jpeg' }), `${place}.jpg`);
  return (await json<{ id: string }>(`/collections/${sequence}/items`, { method: 'POST', body })).id;
};

/** Share of the pixels that differ clearly. */
const changedShare = async (before: Uint8Array, after: Uint8Array): Promise<number> => {
  const [from, to] = await Promise.all([before, after].map((bytes) => sharp(bytes).raw().toBuffer()));
  expect(to!.length).toBe(from!.length);
  return from!.filter((value, i) => Math.abs(value - to![i]!) > HIDDEN).length / from!.length;
};

test.runIf(programs !== undefined && postgis !== undefined)(
  'a sequence that is uploaded to Panoramax is published with hidden faces, and keeps positions and times',
  async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ title: 'A street' });
    const sequence = (await json<{ id: string }>('/collections', { method: 'POST', headers, body })).id;
    const images: Uint8Array<ArrayBuffer>[] = [];
    const ids: string[] = [];
    for (let number = 0; number < IMAGES; number++) {
      images.push(await photo(number));
      ids.push(await upload(sequence, images[number]!, number + 1));
    }
    await vi.waitFor(async () => {
      const { items } = await json<{ items: { status: string }[] }>(
        `/collections/${sequence}/geovisio_status`,
      );
      expect(items.map(({ status }) => status)).toEqual(ids.map(() => 'ready'));
    }, WAIT);
    for (const [number, id] of ids.entries()) {
      const published = new Uint8Array(await (await fetch(`${origin}/pictures/${id}/hd.jpg`)).arrayBuffer());
      await writeFile(at(`${number}-before.jpg`), images[number]!);
      await writeFile(at(`${number}.jpg`), published);
      expect(await changedShare(images[number]!, published), String(number)).toBeGreaterThan(HIDDEN_SHARE);
    }
    const read = async (ending: string): Promise<unknown> => {
      const files = ids.map((_, number) => at(`${number}${ending}`));
      return JSON.parse(await runProgram(installed('python'), [own('read_positions.py'), ...files]));
    };
    expect(await read('.jpg')).toEqual(await read('-before.jpg'));
    const { features } = await json<{ features: { properties: { annotations: unknown[] } }[] }>(
      `/collections/${sequence}/items`,
    );
    expect(features.map(({ properties }) => properties.annotations)).toEqual(ids.map(() => []));
    // Nothing stays at the blur service.
    expect(await (await fetch(`${veil!.origin}/v1/task/list`)).json()).toEqual([]);
  },
);
