import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { jpegFile } from '#shared/testing/image-bytes';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { createRaster, seededRandom } from '#shared/testing/rasters';
import { ROUTES } from '#shared/api/contract/routes';
import { encodeClip, framesOf } from '../server/testing/clips';
import { TINY_PRODUCT } from './run/reports';
import { expect, test } from './support/hosts';
import { createLedger, type Ledger } from './support/ledger';
import { tinySample } from './support/samples';
import { createServerProcess, type ServerProcess } from './support/server-process';

/** Enough kills to detect a start after a kill that fails. `VEIL_KILLS=50 npx playwright test durability` finds rare cases. */
const KILLS = Number(process.env['VEIL_KILLS'] ?? 2);
/**
 * Seed for the moments of the kills and for the requests. It is printed with the result, so that a run can be repeated.
 */
const SEED = Number(process.env['VEIL_KILL_SEED'] ?? Date.now() % 1_000_000);
/** Several times the longest start on a busy machine. */
const LIMIT_MS = 60_000 + KILLS * 12_000;

const FLAGS = ['-a', 'face', '--save-mask', 'all', '--workers', '1'];
const CLIENTS = 3;
const REQUESTS_BETWEEN_KILLS = 5;
const LONGEST_LIFE_MS = 600;
/** Share of server runs that are killed during their start. */
const EARLY_DEATHS = 0.25;

/** Is accepted, and fails during decoding. */
const WITHOUT_PIXELS = jpegFile(64, 64);

const isDisconnection = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated/.test(error.message);

/** Sends random requests, one after another, until the limit is reached or the server is killed. */
const sendUntilKilled = async (
  ledger: Ledger,
  images: readonly Uint8Array[],
  random: () => number,
): Promise<void> => {
  const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  try {
    for (let i = 0; i < REQUESTS_BETWEEN_KILLS; i += 1) {
      const kind = random();
      if (kind < 0.6) await ledger.upload(oneOf(images)!);
      else if (kind < 0.7) await ledger.remove(oneOf, 'task-and-files');
      else if (kind < 0.75) await ledger.remove(oneOf, 'only-files');
      else await ledger.download(oneOf);
    }
  } catch (error) {
    if (!isDisconnection(error)) throw error;
  }
};

const allEnded = async (ledger: Ledger): Promise<boolean> =>
  [...(await ledger.tasks()).values()].every((status) => !/queued|processing/.test(status));

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name !== '.receiving')
        .sort()
    : [];

/** Checks that the folders contain exactly the files of these tasks, each result complete. */
const expectOnlyFilesOf = ({ inputFolder, outputFolder }: ServerProcess, done: readonly string[]): void => {
  expect(foldersIn(inputFolder)).toEqual(done);
  expect(foldersIn(outputFolder)).toEqual([...done, 'veil.sqlite'].sort());
  expect(readdirSync(`${inputFolder}/.receiving`)).toEqual([]);
  for (const id of done) {
    expect(readdirSync(`${inputFolder}/${id}`)).toEqual(['source.jpg']);
    expect(readdirSync(`${outputFolder}/${id}`).sort()).toEqual([
      'anonymised.jpg',
      'binary-mask.png',
      'instance-mask.png',
      'plan.json',
      'result.json',
    ]);
  }
};

test(`a server killed ${KILLS} times at random keeps all acknowledged tasks and serves only complete results`, async () => {
  test.setTimeout(LIMIT_MS);
  const random = seededRandom(SEED);
  const photo = await tinySample(1);
  const images = [RAMP_JPEG, photo, WITHOUT_PIXELS];
  const server = await createServerProcess(FLAGS, { product: TINY_PRODUCT });
  const ledger = createLedger(server.origin);
  try {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      server.start();
      if (random() < EARLY_DEATHS && kill > 1) {
        await sleep(random() * LONGEST_LIFE_MS);
        await server.end('SIGKILL');
        continue;
      }
      await server.ready();
      await ledger.check();
      // At least one in each life, however slow the machine is.
      await ledger.upload(RAMP_JPEG);
      const clients = Array.from({ length: CLIENTS }, () => sendUntilKilled(ledger, images, random));
      await sleep(random() * LONGEST_LIFE_MS);
      await server.end('SIGKILL');
      await Promise.all(clients);
    }
    server.start();
    await server.ready();
    await expect.poll(() => allEnded(ledger), { timeout: LIMIT_MS }).toBe(true);
    await ledger.check();
    const tasks = await ledger.tasks();
    const { code, stderr } = await server.end('SIGTERM');
    expect(code, stderr).toBe(0);
    const withStatus = (status: string) => [...tasks].filter(([, each]) => each === status).map(([id]) => id);
    expectOnlyFilesOf(server, withStatus('done').sort());
    const { uploads, deletions } = ledger.acknowledged();
    expect(uploads).toBeGreaterThan(0);
    const [done, failed] = [withStatus('done').length, withStatus('failed').length];
    console.log(
      `  seed ${SEED}: ${KILLS} kills, ${uploads} uploads and ${deletions} deletions acknowledged; ${done} done, ${failed} failed`,
    );
  } finally {
    await server.remove();
  }
});

interface VideoTask {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
}

const FRAMES = 100;

/** Frames that differ, so that each is searched. */
const longClip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: FRAMES }, (_, i) => [
      i * 0.04,
      createRaster(320, 240, (x, y) => [(x + 3 * i) % 256, y, (x * y) % 256]),
    ]),
  });

test('a server killed during a video begins it again at the next start, and its result has all frames', async () => {
  const server = await createServerProcess(FLAGS, { product: TINY_PRODUCT });
  const askFor = (path: string, id: string): Promise<Response> =>
    fetch(server.origin + path.replace('{id}', id));
  const taskOf = async (id: string) => (await (await askFor(ROUTES.getTask.path, id)).json()) as VideoTask;
  try {
    server.start();
    await server.ready();
    const body = new FormData();
    body.append('fileobject', new Blob([(await longClip()) as Uint8Array<ArrayBuffer>]), 'drive.mp4');
    const upload = await fetch(server.origin + ROUTES.uploadFile.path, {
      ...{ method: 'POST', headers: { 'x-is-async': 'true' }, body },
    });
    const { id } = (await upload.json()) as VideoTask;
    await expect.poll(async () => (await taskOf(id)).progress).toBeGreaterThan(0);
    expect((await taskOf(id)).status).toBe('processing');
    await server.end('SIGKILL');

    server.start();
    await server.ready();
    await expect.poll(async () => (await taskOf(id)).status).toBe('done');
    const result = await askFor(ROUTES.getAnonymisedVideo.path, id);
    const frames = await framesOf(new Uint8Array(await result.arrayBuffer()));
    expect(frames).toHaveLength(FRAMES);
    expect(readdirSync(`${server.inputFolder}/${id}`)).toEqual(['source.mp4']);
    expect(foldersIn(server.outputFolder).filter((name) => name.startsWith('.'))).toEqual([]);
  } finally {
    await server.remove();
  }
});

test('a second server on the same output folder is refused with one sentence, and changes nothing', async () => {
  const first = await createServerProcess(FLAGS, { product: TINY_PRODUCT });
  const folder = first.outputFolder.replace(/\/output$/, '');
  const second = await createServerProcess(FLAGS, { folder, product: TINY_PRODUCT });
  try {
    first.start();
    await first.ready();
    const ledger = createLedger(first.origin);
    await ledger.upload(RAMP_JPEG);
    second.start();
    expect(await second.ended()).toEqual({
      code: 1,
      stderr: `The folder ${first.outputFolder} is in use by another Veil: stop that one, or choose another folder.\n`,
    });
    await expect.poll(() => allEnded(ledger)).toBe(true);
    await ledger.check();
  } finally {
    await first.remove();
  }
});

test(
  'a server that is stopped during processing continues its tasks at the next start',
  { tag: '@slow' },
  async () => {
    const server = await createServerProcess(FLAGS, { product: TINY_PRODUCT });
    try {
      server.start();
      await server.ready();
      const ledger = createLedger(server.origin);
      const photo = await tinySample(2);
      for (let i = 0; i < 4; i += 1) await ledger.upload(photo);
      const { code, stderr } = await server.end('SIGTERM');
      expect(code, stderr).toBe(0);
      server.start();
      await server.ready();
      await expect.poll(() => allEnded(ledger)).toBe(true);
      expect([...(await ledger.tasks()).values()]).toEqual(['done', 'done', 'done', 'done']);
      await ledger.check();
    } finally {
      await server.remove();
    }
  },
);
