import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageFile, RAMP_SIZE } from '#shared/testing/image-files';
import { concatBytes, jpegSegment } from '#shared/testing/image-bytes';
import { createRaster } from '#shared/testing/rasters';
import { buildProgram, type BuiltProgram } from '../server/testing/built-program';
import { encodeClip } from '../server/testing/clips';
import { startServerIn, type RunningServer } from '../server/testing/running-server';
import { temporaryFolder } from '../server/testing/temporary-folder';
import { tinySample, TINY_PX } from './support/samples';
import { writeTinySet } from './support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-phone-files-'));

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const number = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff);

/** XMP as Pixel phones write it: the length of the video at the end of the file. */
const motionXmp = (videoBytes: number): Uint8Array => {
  const text = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${videoBytes}"/></rdf:RDF></x:xmpmeta>`;
  return jpegSegment(0xe1, concatBytes(ascii('http://ns.adobe.com/xap/1.0/\0'), ascii(text)));
};

const START_OF_IMAGE_BYTES = 2;
/** A motion photo of a Pixel phone: a JPEG with XMP, and a whole MP4 file behind it. */
const motionPhoto = (jpeg: Uint8Array, video: Uint8Array): Uint8Array =>
  concatBytes(
    jpeg.subarray(0, START_OF_IMAGE_BYTES),
    motionXmp(video.length),
    jpeg.subarray(START_OF_IMAGE_BYTES),
    video,
  );

const BOX_HEADER_BYTES = 8;
/** A motion photo in HEIC: the video is the content of the last box. */
const motionHeic = (heic: Uint8Array, video: Uint8Array): Uint8Array =>
  concatBytes(heic, number(video.length + BOX_HEADER_BYTES), ascii('mpvd'), video);

/** A file, the name of its result, and the result's width in px. */
interface PhoneFile {
  readonly path: string;
  readonly result: string;
  readonly width: number;
}

let program: BuiltProgram;
let server: RunningServer;
let video: Uint8Array;
let files: Readonly<Record<'motion photo' | 'HEIC photo' | 'motion photo in HEIC', PhoneFile>>;

beforeAll(async () => {
  const models = join(FOLDER, 'models');
  writeTinySet(models);
  program = await buildProgram(models);
  server = await startServerIn(join(FOLDER, 'server'), program);
  const frames = Array.from(
    { length: 6 },
    (_, index) => [index * 0.04, createRaster(96, 64, (x, y) => [x * 2, y * 3, index * 40])] as const,
  );
  video = await encodeClip({ frames });
  const write = (name: string, bytes: Uint8Array): string => {
    const path = join(FOLDER, name);
    writeFileSync(path, bytes);
    return path;
  };
  const heic = imageFile('p3.heic');
  const { height: width } = RAMP_SIZE; // the image is turned
  files = {
    'motion photo': {
      path: write('PXL_1.MP.jpg', motionPhoto(await tinySample(1), video)),
      result: 'PXL_1.MP.jpg',
      width: TINY_PX,
    },
    'HEIC photo': { path: write('IMG_1.HEIC', heic), result: 'IMG_1.HEIC.jpg', width },
    'motion photo in HEIC': {
      path: write('PXL_2.MP.heic', motionHeic(heic, video)),
      result: 'PXL_2.MP.heic.jpg',
      width,
    },
  };
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.ended;
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

const byCommandLine = async ({ path, result }: PhoneFile, ...flags: string[]): Promise<Buffer> => {
  const output = temporaryFolder();
  const ended = await program.start(path, '-o', output, ...flags).ended;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return readFileSync(join(output, result));
};

const byApi = async ({ path }: PhoneFile, query = ''): Promise<Buffer> => {
  const form = new FormData();
  form.append('fileobject', new Blob([new Uint8Array(readFileSync(path))]), basename(path));
  const uploaded = await fetch(`${server.origin}/v1/file${query}`, { method: 'POST', body: form });
  const { id } = (await uploaded.json()) as { id: string };
  return Buffer.from(await (await fetch(`${server.origin}/v1/file/${id}/anonymised`)).arrayBuffer());
};

const PIECE_BYTES = 16;
/** Whether a file contains a piece of the video, or a name of its boxes and fields. */
const holdsVideo = (file: Buffer): boolean => {
  const names = ['ftyp', 'moov', 'mdat', 'mpvd', 'MotionPhoto', 'MicroVideo', 'GCamera'];
  if (names.some((name) => file.includes(name))) return true;
  for (let at = 0; at + PIECE_BYTES <= video.length; at += PIECE_BYTES) {
    const piece = video.subarray(at, at + PIECE_BYTES);
    // Runs of one value occur everywhere.
    if (new Set(piece).size > 2 && file.includes(Buffer.from(piece))) return true;
  }
  return false;
};

const requireOnlyTheImage = async (file: Buffer, width: number): Promise<void> => {
  expect(holdsVideo(file)).toBe(false);
  expect(file.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width });
};

describe('the video in a motion photo', () => {
  it('is in the source, so that the following cases would find it', () => {
    for (const name of ['motion photo', 'motion photo in HEIC'] as const) {
      expect(holdsVideo(readFileSync(files[name].path))).toBe(true);
    }
  });

  it.each(['motion photo', 'motion photo in HEIC'] as const)(
    'is not in the result of a %s on the command line, also with kept metadata',
    // From the API, the same engine answers.
    { tags: ['slow'] },
    async (name) => {
      const { width } = files[name];
      await requireOnlyTheImage(await byCommandLine(files[name]), width);
      await requireOnlyTheImage(await byCommandLine(files[name], '--keep-metadata'), width);
    },
  );

  const rule = 'is not in the result of a %s from the API, also with kept metadata';
  const isImageAlone = async (name: 'motion photo' | 'motion photo in HEIC'): Promise<void> => {
    const { width } = files[name];
    await requireOnlyTheImage(await byApi(files[name]), width);
    await requireOnlyTheImage(await byApi(files[name], '?keep-metadata=true'), width);
  };
  it.each(['motion photo'] as const)(rule, isImageAlone);
  it.each(['motion photo in HEIC'] as const)(rule, { tags: ['slow'] }, isImageAlone);
});

it('a HEIC photo becomes the same JPEG on the command line and by the API', { tags: ['slow'] }, async () => {
  const { width } = files['HEIC photo'];
  const result = await byCommandLine(files['HEIC photo']);
  await requireOnlyTheImage(result, width);
  expect(result.equals(await byApi(files['HEIC photo']))).toBe(true);
});
