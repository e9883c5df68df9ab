import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cammPacket,
  gpmfPayload,
  streetPath,
  withMetadata,
  type DataTrack,
} from '#shared/testing/mapping-clips';
import { createRaster } from '#shared/testing/rasters';
import { packetsOf, sound } from '../testing/bursts';
import { copyClip, encodeClip } from '../testing/clips';
import { keepClip, keptOf } from '../testing/keep-clip';
import { findService } from '../testing/services/install';
import { temporaryFolder } from '../testing/temporary-folder';

const MARK = 'LEAKNAME';
const GROUPS = ['QuickTime', 'Keys', 'ItemList', 'UserData', 'XMP', 'Microsoft', 'AudioKeys', 'VideoKeys'];

/** All that is kept, with the values that ExifTool then reads. */
const KEPT = {
  'QuickTime:CreateDate': '2026:05:04 10:30:01',
  'Keys:CreationDate': '2026:05:04 12:30:01+02:00',
  'Keys:GPSCoordinates': '48.8577 -2.295 35.25',
};
/** The place is in the result in both forms, whichever form the source has. */
const IN_RESULT = { ...KEPT, 'UserData:GPSCoordinates': KEPT['Keys:GPSCoordinates'] };

/** Made of other fields, of the track with positions, and how the names of fields are stored. */
const ABOUT_FILE = /^(Composite|Track3):|^QuickTime:HandlerType$/;

const exiftool = await findService({
  ...{ service: 'ExifTool', program: 'exiftool', aptPackage: 'libimage-exiftool-perl' },
});
if (!exiftool) console.warn('Skipped: fields that ExifTool writes into videos, because it is not installed.');

type Fields = Readonly<Record<string, unknown>>;
const run = (...args: string[]): string =>
  // It warns of each field that takes no text.
  execFileSync(exiftool!, args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 }).toString();
const fieldsIn = (bytes: Uint8Array, ...options: string[]): Fields => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, bytes);
  const [fields = {}] = JSON.parse(run('-j', '-G1', '-a', '-n', ...options, path)) as Fields[];
  return fields;
};
const withMark = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => String(fields[name]).includes(MARK));

const PLACES = streetPath(36);
const TRACK: DataTrack = {
  ...{ coding: 'gpmd', timescale: 1000, duration: 1000 },
  samples: [PLACES.slice(0, 18), PLACES.slice(18)].map((part) => gpmfPayload(part, { mark: MARK })),
};
const clipIn = (container: 'mp4' | 'mov', track?: DataTrack): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: 50 }, (_, i) => [i * 0.04, createRaster(64, 48, () => [90, i, 90])]),
    sounds: [sound('aac', 48_000, 1)],
    container,
  }).then((clip) => (track ? withMetadata(clip, { track }) : clip));

/** The file with a mark in every field that takes one. */
const marked = (bytes: Uint8Array): Uint8Array => {
  const folder = temporaryFolder();
  const [plain, written] = [join(folder, 'plain.mov'), join(folder, 'marked.mov')];
  writeFileSync(plain, bytes);
  const everywhere = GROUPS.map((group) => `-${group}:*=${MARK}`);
  const values = Object.entries(KEPT).map(([name, value]) => `-${name}=${value}`);
  run(...everywhere, ...values, '-n', '-m', '-q', '-q', '-o', written, plain);
  return readFileSync(written);
};

describe.skipIf(!exiftool)('a mark in every field of a video', () => {
  const check = async (container: 'mp4' | 'mov'): Promise<void> => {
    const source = marked(await clipIn(container, TRACK));
    const before = fieldsIn(source, '-ee');
    expect(before).toMatchObject(KEPT);
    expect(withMark(before).length).toBeGreaterThan(1_500);

    const names = (fields: Fields): string[] => Object.keys(fields).sort();
    const plain = await copyClip(source);
    const unmarked = fieldsIn(await copyClip(await clipIn(container)));
    expect(names(fieldsIn(plain))).toEqual(names(unmarked));

    const kept = await keepClip(source);
    const fields = fieldsIn(kept);
    expect(fields).toMatchObject(IN_RESULT);
    const others = names(fields).filter((name) => !(name in unmarked) && !ABOUT_FILE.test(name));
    expect(others).toEqual(
      Object.keys(IN_RESULT)
        .filter((name) => !(name in unmarked))
        .sort(),
    );
    for (const result of [plain, kept]) expect(Buffer.from(result).includes(MARK)).toBe(false);
    expect(await packetsOf(kept)).toEqual(await packetsOf(source));
  };

  // A mark in every place of a container, without ExifTool: `hidden-marks.test.ts`.
  it.each(['mp4', 'mov'] as const)(
    'is in no result, with and without kept metadata, which has only date and place: %s',
    { tags: ['slow'] },
    check,
  );
});

describe.skipIf(!exiftool)('ExifTool reads the positions of a result', () => {
  it.each([
    ['GPMF', TRACK],
    ['camm', { ...TRACK, coding: 'camm', duration: 50, samples: PLACES.map(cammPacket) }],
  ])('with the numbers, places and times that the source has: %s', async (_, track) => {
    const source = await clipIn('mp4', track);
    const result = await keepClip(source);
    const fields = fieldsIn(result, '-ee', '-G3:1');
    const values = (name: string): number[] =>
      PLACES.map((__, i) =>
        Number(
          Object.entries(fields).find(
            ([key]) => key.startsWith(`Doc${i + 1}:`) && key.endsWith(`:${name}`),
          )?.[1],
        ),
      );
    const near = (expected: readonly number[], digits: number) =>
      expected.map((value) => expect.closeTo(value, digits) as number);
    const placed = (name: keyof (typeof PLACES)[0]) => PLACES.map((place) => place[name]);
    expect(values('GPSLatitude')).toEqual(near(placed('latitude'), 5));
    expect(values('GPSLongitude')).toEqual(near(placed('longitude'), 5));
    expect(values('GPSAltitude')).toEqual(near(placed('altitude'), 2));
    const times = (await keptOf(source)).positions.map(({ seconds }) => seconds);
    expect(values('SampleTime')).toEqual(near(times, 3));
  });
});
