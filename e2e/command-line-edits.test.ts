import {
  mkdtempSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EditsBody } from '#shared/api/contract/schemas-edits';
import { createRaster } from '#shared/testing/rasters';
import { type BuiltProgram, type Ended, buildProgram } from '../server/testing/built-program';
import { BURST, detectTones, sound } from '../server/testing/bursts';
import { encodeClip } from '../server/testing/clips';
import { type RunningServer, startServerIn } from '../server/testing/running-server';
import { temporaryFolder } from '../server/testing/temporary-folder';
import { writeTinySet } from './support/tiny-set';
import { tinySample } from './support/samples';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-command-line-'));
const PHOTO = join(FOLDER, 'street.jpg');
const VIDEO = join(FOLDER, 'trip.mp4');
/** Several starts of the program, whose rule the other tests of this file also break if it is broken. */
const RARE = { tags: ['slow'] };

let program: BuiltProgram;
let server: RunningServer;
beforeAll(async () => {
  const models = join(FOLDER, 'models');
  writeTinySet(models);
  program = await buildProgram(models);
  server = await startServerIn(join(FOLDER, 'server'), program, '--save-mask', 'all');
  writeFileSync(PHOTO, await tinySample(1));
  const frames = Array.from(
    { length: 8 },
    (_, index) => [index * 0.04, createRaster(96, 64, (x, y) => [x * 2, y * 3, 90])] as const,
  );
  writeFileSync(VIDEO, await encodeClip({ frames, sounds: [sound('aac', 48_000, 2)] }));
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.ended;
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** The files of an edited upload, as the API gives them. */
const editedByApi = async (path: string, edits: object, files: readonly string[]): Promise<Buffer[]> => {
  const form = new FormData();
  form.append('fileobject', new Blob([new Uint8Array(readFileSync(path))]), basename(path));
  const uploaded = await fetch(`${server.origin}/v1/file?method=pixelate`, { method: 'POST', body: form });
  const { id } = (await uploaded.json()) as { id: string };
  const put = await fetch(`${server.origin}/v1/task/${id}/edits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(edits),
  });
  expect(put.status).toBe(200);
  const download = async (file: string): Promise<Buffer> => {
    const answer = await fetch(`${server.origin}/v1/file/${id}/${file}`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  return Promise.all(files.map(download));
};

/** An MP4 file without its times of creation and change: two fields of 4 bytes behind version and flags. */
const withoutTimes = (video: Buffer): Buffer => {
  const copy = Buffer.from(video);
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    for (let at = copy.indexOf(box); at >= 0; at = copy.indexOf(box, at + 1)) copy.fill(0, at + 8, at + 16);
  }
  return copy;
};

let output: string;
let editsFile: string;
beforeEach(() => {
  const folder = temporaryFolder();
  output = join(folder, 'new/out');
  editsFile = join(folder, 'edits.json');
});

/** Runs the program with edits. @param edits an object, or the text of the file */
const run = (edits: object | string, ...args: string[]): Promise<Ended> => {
  writeFileSync(editsFile, typeof edits === 'string' ? edits : JSON.stringify(edits));
  return program.start(...args, '-o', output, '--method', 'pixelate', '--edits', editsFile).ended;
};

const OF_PHOTO: EditsBody = {
  method: 'blacken',
  objects: [{ id: 0, hidden: false }],
  areas: [{ type_label: 'license-plate', shape: 'ellipse', bbox: [40, 30, 200, 160], method: 'blur' }],
};
const OF_VIDEO: EditsBody = {
  areas: [{ type_label: 'license-plate', shape: 'box', bbox: [40, 30, 80, 60], frame: 3 }],
};

describe('a result with edits of the command line', () => {
  it('of an image, with its masks, has the bytes that the API gives', async () => {
    const files = ['anonymised', 'binary-mask', 'instance-mask'];
    const [image, binary, instance] = await editedByApi(PHOTO, OF_PHOTO, files);
    const ended = await run(OF_PHOTO, PHOTO, '--save-mask', 'all', '--save-metadata');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const read = (name: string): Buffer => readFileSync(join(output, name));
    expect(read('street.jpg').equals(image!)).toBe(true);
    expect(read('street_bin_mask.png').equals(binary!)).toBe(true);
    expect(read('street_ins_mask.png').equals(instance!)).toBe(true);
    const { detections } = JSON.parse(read('street.json').toString()) as { detections: object[] };
    expect(detections.at(-1)).toMatchObject({ type_label: 'license-plate', bbox: [40, 30, 200, 160] });
  });

  it('of a video has the bytes that the API gives, except for the time of writing', async () => {
    const [video] = await editedByApi(VIDEO, OF_VIDEO, ['video/anonymised']);
    const ended = await run(OF_VIDEO, VIDEO, '--save-metadata', '--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('"event":"progress"');
    expect(withoutTimes(readFileSync(join(output, 'trip.mp4'))).equals(withoutTimes(video!))).toBe(true);
    expect(JSON.parse(readFileSync(join(output, 'trip.json'), 'utf8'))).toHaveLength(8);
  });

  it('of a video has no sound in muted parts, as from the API', RARE, async () => {
    const edits: EditsBody = { mute: [[BURST.from, BURST.to]] };
    const [video] = await editedByApi(VIDEO, edits, ['video/anonymised']);
    expect(await run(edits, VIDEO)).toMatchObject({ code: 0, stderr: '' });
    const muted = readFileSync(join(output, 'trip.mp4'));
    expect(withoutTimes(muted).equals(withoutTimes(video!))).toBe(true);
    const heard = async (bytes: Buffer) => (await detectTones(bytes))[0]!.burst;
    expect(await heard(readFileSync(VIDEO))).not.toEqual([Infinity, -Infinity]);
    expect(await heard(muted)).toEqual([Infinity, -Infinity]);
  });

  it('is made again only for other edits', RARE, async () => {
    await run(OF_PHOTO, PHOTO);
    const same = await run(OF_PHOTO, PHOTO);
    expect(same.stdout).toMatch(/^0 files done, 1 already done/);
    const other = await run({ method: 'blur' }, PHOTO);
    expect(other.stdout).toMatch(/^1 file done/);
  });

  it('leaves nothing of the source in the temporary folder', async () => {
    const temporary = join(temporaryFolder(), 'tmp');
    mkdirSync(temporary);
    writeFileSync(editsFile, JSON.stringify(OF_PHOTO));
    const environment = { ...process.env, TMPDIR: temporary };
    const args = [PHOTO, '-o', output, '--edits', editsFile];
    expect(await program.startIn(environment, ...args).ended).toMatchObject({ code: 0 });
    expect(readdirSync(temporary)).toEqual([]);
  });
});

type Refused = readonly [what: string, edits: object | string, sentence: RegExp];
const REFUSED: readonly Refused[] = [
  ['text that is not JSON', '{"objects":', /must hold one JSON object\.\n$/],
  ['an unknown object', { objects: [{ id: 77 }] }, /are refused: `objects\[0\]\.id` .*\.\n$/],
];
/** The API refuses them by the same code. */
const REFUSED_ALIKE: readonly Refused[] = [
  ['a misspelt field', { object: [] }, /are refused: `"object"` is not a known field\.\n$/],
  [
    'fields of videos for an image',
    { objects: [{ id: 0, from: 1 }] },
    /are refused: `objects\[0\]\.from` .*\.\n$/,
  ],
];

describe('edits are refused by one sentence, exit code 2 and no file', () => {
  const isRefused = async (_what: string, edits: object | string, sentence: RegExp): Promise<void> => {
    const ended = await run(edits, PHOTO);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.trimEnd()).not.toContain('\n');
    expect(ended.stderr).toMatch(sentence);
    expect(existsSync(join(output, '..'))).toBe(false);
  };
  it.each(REFUSED)('for %s', isRefused);
  it.each(REFUSED_ALIKE)('for %s', RARE, isRefused);

  it('if the file is missing', async () => {
    const ended = await program.start(PHOTO, '-o', output, '--edits', editsFile).ended;
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `The edits file ${editsFile} cannot be read.\n`,
    });
  });

  it('if several files or a folder are given', async () => {
    expect(await run({}, PHOTO, VIDEO)).toEqual({
      code: 2,
      stdout: '',
      stderr: '--edits applies to one file, and 2 are given.\n',
    });
    expect(await run({}, FOLDER)).toMatchObject({
      code: 2,
      stderr: `--edits applies to one file, and ${FOLDER} is a folder.\n`,
    });
    expect(existsSync(output)).toBe(false);
  });

  it('without a change of earlier results', RARE, async () => {
    await run(OF_PHOTO, PHOTO);
    const before = readFileSync(join(output, 'street.jpg'));
    expect(await run({ objects: [{ id: 77 }] }, PHOTO)).toMatchObject({ code: 2 });
    expect(readFileSync(join(output, 'street.jpg')).equals(before)).toBe(true);
    expect((await run(OF_PHOTO, PHOTO)).stdout).toMatch(/^0 files done, 1 already done/);
  });
});
