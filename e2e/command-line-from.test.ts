import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { type BuiltProgram, type Ended, buildProgram } from '../server/testing/built-program';
import { encodeClip } from '../server/testing/clips';
import { writeTinySet } from './support/tiny-set';
import { tinySample } from './support/samples';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-from-'));
const MODELS = join(FOLDER, 'models');
const PHOTO = join(FOLDER, 'street.jpg');
const VIDEO = join(FOLDER, 'trip.mp4');
const EXPORTED = join(FOLDER, 'exported');
/** One more start of the program each. `shared/engine/given` tests both formats, and all sentences. */
const RARE = { tags: ['slow'] };

let program: BuiltProgram;

const run = (output: string, ...args: string[]): Promise<Ended> =>
  program.start(...args, '-o', output, '--save-metadata').ended;

beforeAll(async () => {
  writeTinySet(MODELS);
  program = await buildProgram(MODELS);
  writeFileSync(PHOTO, await tinySample(1));
  const frames = Array.from(
    { length: 6 },
    (_, index) => [index * 0.04, createRaster(96, 64, (x, y) => [x * 2, y * 3, index * 40])] as const,
  );
  writeFileSync(VIDEO, await encodeClip({ frames }));
  const ended = await run(EXPORTED, PHOTO, VIDEO, '--export', 'coco', '--export', 'jsonl');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  // From here on a search would fail.
  for (const name of readdirSync(MODELS)) if (name.endsWith('.onnx')) rmSync(join(MODELS, name));
});
afterAll(() => {
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** An MP4 file without its times of creation and change: two fields of 4 bytes behind version and flags. */
const withoutTimes = (video: Buffer): Buffer => {
  const copy = Buffer.from(video);
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    for (let at = copy.indexOf(box); at >= 0; at = copy.indexOf(box, at + 1)) copy.fill(0, at + 8, at + 16);
  }
  return copy;
};

describe('an export is rendered again, without a model', () => {
  const ofImage = 'of an image, from %s, with the same bytes';
  const testImage = async (name: string): Promise<void> => {
    const output = join(FOLDER, `from-${name}`);
    const ended = await run(output, PHOTO, '--from', join(EXPORTED, name));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const read = (folder: string): Buffer => readFileSync(join(folder, basename(PHOTO)));
    expect(read(output).equals(readFileSync(PHOTO))).toBe(false);
    expect(read(output).equals(read(EXPORTED))).toBe(true);
    const found = (folder: string): unknown[] =>
      (JSON.parse(readFileSync(join(folder, 'street.json'), 'utf8')) as { detections: unknown[] }).detections;
    expect(found(output)).toEqual(found(EXPORTED));
    expect(found(output).length).toBeGreaterThan(0);
  };
  it.each(['street-coco.json'])(ofImage, testImage);
  it.each(['street.jsonl'])(ofImage, RARE, testImage);

  const ofVideo = 'of a video, from %s, with the same frames';
  const testVideo = async (name: string): Promise<void> => {
    const output = join(FOLDER, `from-${name}`);
    const ended = await run(output, VIDEO, '--from', join(EXPORTED, name));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const read = (folder: string): Buffer => withoutTimes(readFileSync(join(folder, 'trip.mp4')));
    expect(read(output).equals(read(EXPORTED))).toBe(true);
  };
  it.each(['trip.jsonl'])(ofVideo, testVideo);
  it.each(['trip-coco.json'])(ofVideo, RARE, testVideo);
});

describe('detections that do not fit give no result', () => {
  const file = join(FOLDER, 'detections.jsonl');
  const isRefused = async (_what: string, text: string, sentence: string): Promise<void> => {
    writeFileSync(file, text);
    const output = join(FOLDER, 'refused');
    const ended = await run(output, PHOTO, '--from', file);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout + ended.stderr).toContain(sentence);
    expect(readdirSync(output).filter((name) => !name.startsWith('.veil'))).toEqual([]);
  };
  it.each([
    ['another file', '{"file":"a.jpg","width":9,"height":9,"objects":[]}', 'list nothing for "street.jpg"'],
    [
      'another size',
      '{"width":9,"height":9,"objects":[]}',
      'Line 1 of the detections is wrong: its size is 9 × 9',
    ],
    ['no content', '', 'The detections are empty.'],
  ] as const)('of %s', RARE, isRefused);

  it('as a file that is missing', async () => {
    expect(await run(join(FOLDER, 'none'), PHOTO, '--from', join(FOLDER, 'no.jsonl'))).toMatchObject({
      code: 2,
      stderr: `The file of --from ${join(FOLDER, 'no.jsonl')} cannot be read.\n`,
    });
  });
});
