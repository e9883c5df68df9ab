import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { filePart } from '#shared/testing/conformance-steps';
import { asHttp } from '#shared/testing/multipart';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { createRaster } from '#shared/testing/rasters';
import { findFfmpeg } from './find-ffmpeg';
import { findVideoBackend } from './video-backend';
import { buildProgram, PRODUCT_MODELS, type BuiltProgram } from '../testing/built-program';
import { encodeClip, framesOf } from '../testing/clips';
import { createFakeFfmpeg } from '../testing/fake-ffmpeg';
import { startServer, type RunningServer } from '../testing/running-server';
import { temporaryFolder } from '../testing/temporary-folder';

const HIDE_PACKAGE = join(import.meta.dirname, '../testing/hide-codec-package.mjs');
const FRAMES = 12;
const REFUSAL =
  'Videos cannot be processed here: install ffmpeg (with libx264) or the npm package @napi-rs/webcodecs, then start Veil again.';
const ffmpeg = await findFfmpeg(undefined, process.env);

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram(PRODUCT_MODELS, HIDE_PACKAGE);
});
afterAll(() => program.remove());

const start = async (...flags: readonly string[]): Promise<RunningServer> => {
  const server = await startServer(program, '-a', 'face', '--workers', '1', ...flags);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
};
const upload = ({ origin }: RunningServer, bytes: Uint8Array): Promise<Response> => {
  const url = `${ROUTES.uploadFile.path}?face=True`;
  const { method, headers, body } = asHttp({ method: 'POST', url, headers: {}, parts: [filePart(bytes)] });
  return fetch(origin + url, { method, headers, body: body as Uint8Array<ArrayBuffer> });
};
const clip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: FRAMES }, (_, i) => [i * 0.04, createRaster(64, 48, () => [i, 90, 90])]),
    audio: [Array.from({ length: 20 }, (_, index) => Uint8Array.of(index, 1, 2))],
  });

describe('a server without the codec package', () => {
  it.skipIf(!ffmpeg)('anonymises videos with an installed ffmpeg', { tags: ['slow'] }, async () => {
    const server = await start();
    const answer = await upload(server, await clip());
    const { id, content_type } = (await answer.json()) as { id: string; content_type: string };
    expect(content_type).toBe('video/mp4');
    const result = await fetch(server.origin + ROUTES.getAnonymisedVideo.path.replace('{id}', id));
    expect(await framesOf(new Uint8Array(await result.arrayBuffer()))).toHaveLength(FRAMES);
  });

  it('and without ffmpeg anonymises images, and refuses videos with a sentence about what to install', async () => {
    const server = await start('--ffmpeg', 'off');
    expect((await upload(server, RAMP_JPEG)).status).toBe(200);
    const refused = await upload(server, await clip());
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(REFUSAL);
  });

  it('and without ffmpeg gives the same sentence for videos on the command line', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.mp4'), await clip());
    const { ended } = program.start(join(folder, 'a.mp4'), '-o', join(folder, 'out'), '--ffmpeg', 'off');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(1);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(REFUSAL);
  });
});

describe('the video codec', () => {
  const missing = (): Promise<never> => Promise.reject(new Error('not installed'));
  const fake = async (says: string) =>
    findFfmpeg(createFakeFfmpeg({ writes: new TextEncoder().encode(says) }).path, {});

  it('is the package if it can be loaded, even if ffmpeg is installed', async () => {
    expect(await findVideoBackend(undefined, async () => ({}))).toBe('package');
  });

  it('is ffmpeg without the package, if ffmpeg can encode H.264', async () => {
    expect(await findVideoBackend(await fake(' V....D libx264   libx264'), missing)).toBe('ffmpeg');
    expect(await findVideoBackend(await fake(' V....D mpeg4     MPEG-4'), missing)).toBeUndefined();
    expect(await findVideoBackend(undefined, missing)).toBeUndefined();
  });
});
