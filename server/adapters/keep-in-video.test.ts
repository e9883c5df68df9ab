import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeptInVideo } from '#shared/domain/kept-in-video';
import { findVideoMetadata } from '#shared/engine/formats/video-metadata';
import { box, latin, words } from '#shared/media/write-boxes';
import {
  cammGpsPacket,
  cammPacket,
  cammTurnPacket,
  DATE_NAME,
  editList,
  gpmf,
  gpmfNest,
  gpmfPayload,
  namedTexts,
  PLACE_NAME,
  userPlace,
  streetPath,
  withMetadata,
  type DataTrack,
} from '#shared/testing/mapping-clips';
import { createRaster } from '#shared/testing/rasters';
import { packetsOf, sound } from '../testing/bursts';
import { copyClip, encodeClip, framesOf, sourceOf, type Clip } from '../testing/clips';
import { keepClip, keptOf } from '../testing/keep-clip';
import { changeElements, element } from '../testing/matroska-surgery';
import { contentsOf } from '../testing/mp4-surgery';

const FRAMES = 50;
const SECONDS = 2;
const clipIn = (container: Clip['container'] = 'mp4', frames = FRAMES): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: frames }, (_, i) => [
      (i * SECONDS) / FRAMES,
      createRaster(64, 48, () => [90, i, 90]),
    ]),
    sounds: [sound('aac', 48_000, 1)],
    container,
  });

let clip: Uint8Array;
beforeAll(async () => {
  clip = await clipIn();
});

const PLACES = streetPath(36);
const MARK = 'LEAKNAME';
/** Two payloads of a second, as GoPro's cameras write them. */
const gpmfTrack = (more: Parameters<typeof gpmfPayload>[1] = {}): DataTrack => ({
  ...{ coding: 'gpmd', timescale: 1000, duration: 1000 },
  samples: [PLACES.slice(0, 18), PLACES.slice(18)].map((part) => gpmfPayload(part, more)),
});
const cammTrack = (samples: readonly Uint8Array[], more: Partial<DataTrack> = {}): DataTrack => ({
  ...{ coding: 'camm', timescale: 1000, duration: 50, samples },
  ...more,
});

/** Positions that begin at the start of the video. @param stepSeconds between two of them */
const expected = (stepSeconds: number, places = PLACES): KeptInVideo['positions'] =>
  places.map((place, i) => ({
    latitude: expect.closeTo(place.latitude, 6) as number,
    longitude: expect.closeTo(place.longitude, 6) as number,
    altitude: expect.closeTo(place.altitude, 2) as number,
    seconds: expect.closeTo(i * stepSeconds, 4) as number,
  }));

const positionsIn = async (bytes: Uint8Array) => (await keptOf(bytes)).positions;

describe('the positions of a video are a track of the result, equal in number, values and times', () => {
  it.each([
    ['GPMF with GPS5', 1 / 18, gpmfTrack({ mark: MARK })],
    ['GPMF with GPS9', 1 / 18, gpmfTrack({ mark: MARK, key: 'GPS9' })],
    ['camm with positions', 0.05, cammTrack(PLACES.map(cammPacket))],
    ['camm with GPS', 0.05, cammTrack(PLACES.map((place) => cammGpsPacket(place)))],
    [
      'camm with motion',
      0.05,
      cammTrack(
        PLACES.flatMap((place) => [cammPacket(place), cammTurnPacket()]),
        { duration: 25 },
      ),
    ],
  ] as const)('%s', async (_, step, track) => {
    const source = withMetadata(clip, { track });
    const result = await keepClip(source);
    expect(await positionsIn(source)).toEqual(expected(step));
    expect(await positionsIn(result)).toEqual(expected(step));
    const [, , stsd] = contentsOf(result, 'moov/trak/mdia/minf/stbl/stsd');
    expect(Buffer.from(stsd!).toString('latin1', 12, 16)).toBe('camm');
    expect(Buffer.from(result).includes(MARK)).toBe(false);
    expect(Buffer.from(await copyClip(source)).includes('camm')).toBe(false);
  });

  it('has nothing but the packets with positions', async () => {
    const result = await keepClip(withMetadata(clip, { track: gpmfTrack() }));
    const { sourceTracks } = await findVideoMetadata(sourceOf(result), 'mp4');
    expect(sourceTracks).toEqual({ video: 1, audio: 1, subtitles: 0, data: 1 });
    const [, , stsz] = contentsOf(result, 'moov/trak/mdia/minf/stbl/stsz').map((box) => Buffer.from(box));
    expect([stsz!.readUInt32BE(4), stsz!.readUInt32BE(8)]).toEqual([28, PLACES.length]);
    const [, , stco] = contentsOf(result, 'moov/trak/mdia/minf/stbl/stco').map((box) => Buffer.from(box));
    for (let i = 0; i < PLACES.length; i++) {
      expect(Buffer.from(result).readUInt32LE(stco!.readUInt32BE(8) + 28 * i)).toBe(5 * 65_536);
    }
  });

  it('leaves video and sound as they are without it', async () => {
    const [kept, plain] = [await keepClip(withMetadata(clip, { track: gpmfTrack() })), await copyClip(clip)];
    expect(await packetsOf(kept)).toEqual(await packetsOf(plain));
    const digests = async (bytes: Uint8Array): Promise<string[]> =>
      (await framesOf(bytes)).map(({ raster }) => createHash('sha256').update(raster.data).digest('hex'));
    expect(await digests(kept)).toEqual(await digests(plain));
  });
});

describe('positions are left out', () => {
  it('that an edit list hides; the others keep the times at which they are shown', async () => {
    const edits = [editList([28_800, -1], [57_600, 500])]; // half a second of nothing, then a second from .5 s on
    const track = cammTrack(PLACES.map(cammPacket), { edits });
    const result = await keepClip(withMetadata(clip, { track }));
    const shown = PLACES.slice(10, 30);
    expect(await positionsIn(result)).toEqual(
      expected(0.05, shown).map((one) => ({ ...one, seconds: expect.any(Number) as number })),
    );
    const times = (await positionsIn(result)).map(({ seconds }) => seconds);
    expect(times).toEqual(shown.map((_, i) => expect.closeTo(0.5 + i * 0.05, 4) as number));
  });

  it('after the end of the video', async () => {
    const short = await clipIn('mp4', 20);
    const result = await keepClip(
      withMetadata(short, { track: cammTrack(PLACES.map(cammPacket), { duration: 100 }) }),
    );
    expect(await positionsIn(result)).toEqual(expected(0.1, PLACES.slice(0, 8)));
  });

  it('where the receiver does not know its position', async () => {
    const lost = (track: DataTrack) => positionsIn(withMetadata(clip, { track }));
    expect(await lost(gpmfTrack({ fix: 0 }))).toEqual([]);
    expect(await lost(cammTrack(PLACES.map((place) => cammGpsPacket(place, 0))))).toEqual([]);
  });

  it.each([
    ['not a number', { latitude: NaN }],
    ['infinite', { altitude: Infinity }],
    ['beyond the pole', { latitude: 90.1 }],
    ['behind the date line', { longitude: -180.1 }],
    ['in space', { altitude: 1e6 }],
  ])('that are %s', async (_, wrong) => {
    const [first, ...others] = PLACES.slice(0, 3);
    const track = cammTrack([{ ...first!, ...wrong }, ...others].map(cammPacket));
    expect(await positionsIn(withMetadata(clip, { track }))).toHaveLength(2);
  });
});

/** Changes a number of a box. */
const setWord =
  (wanted: string, at: number, value: number): NonNullable<DataTrack['change']> =>
  (type, content) => {
    if (type !== wanted) return content;
    const bytes = Buffer.from(content);
    bytes.writeUInt32BE(value, at);
    return bytes;
  };
const nested = (depth: number): Uint8Array =>
  depth === 0 ? gpmf('GPSF', 'L', 4, words(3)) : gpmfNest('DEVC', nested(depth - 1));
const gpmfOf = (...entries: readonly Uint8Array[]): DataTrack => ({
  ...gpmfTrack(),
  samples: [gpmfNest('DEVC', gpmfNest('STRM', ...entries))],
});

/** Samples whose bytes are all the same ones. */
const overlapping = cammTrack(Array<Uint8Array>(5000).fill(cammPacket(PLACES[0]!)), {
  duration: 0,
  change: (type, content) => {
    if (type === 'stsc') return words(0, 1, 1, 1, 1);
    return type === 'stco' ? words(0, 5000, ...Array<number>(5000).fill(0)) : content;
  },
});
const SOMEWHERE = gpmf('GPS5', 'l', 20, words(1, 2, 3, 4, 5));

describe('a damaged or hostile track of positions is dropped, and the rest is kept', () => {
  it.each<readonly [string, DataTrack]>([
    ['an offset behind the file', { ...gpmfTrack(), change: setWord('stco', 8, 0x7fffffff) }],
    ['a sample larger than the file', { ...gpmfTrack(), change: setWord('stsz', 12, 0x7fffffff) }],
    ['samples of 2 MB', { ...gpmfTrack(), change: setWord('stsz', 4, 2 ** 21) }],
    ['no time in a second', { ...gpmfTrack(), change: setWord('mdhd', 12, 0) }],
    ['fewer times than samples', { ...gpmfTrack(), change: setWord('stts', 8, 1) }],
    ['no runs of chunks', { ...gpmfTrack(), change: (type, c) => (type === 'stsc' ? words(0, 0) : c) }],
    ['samples that lie over one another', overlapping],
    ['an entry longer than its payload', { ...gpmfTrack(), samples: [gpmfPayload(PLACES).subarray(0, 300)] }],
    ['entries in one another', { ...gpmfTrack(), samples: [nested(200)] }],
    ['a division by zero', gpmfOf(gpmf('SCAL', 'l', 4, words(0)), SOMEWHERE)],
    ['another number of scales', gpmfOf(gpmf('SCAL', 'l', 4, words(1, 1)), SOMEWHERE)],
    ['positions of letters', gpmfOf(gpmf('GPS5', 'c', 20, latin('a'.repeat(40))))],
    ['positions with too few numbers', gpmfOf(gpmf('GPS5', 'l', 8, words(1, 2, 3, 4)))],
    ['positions without their types', gpmfOf(gpmf('GPS9', '?', 32, new Uint8Array(32)))],
    ['packets of another length', cammTrack([cammPacket(PLACES[0]!).subarray(0, 27)])],
    ['another coding', { ...gpmfTrack(), coding: 'mebx' }],
  ])('with %s', async (_, track) => {
    const source = withMetadata(clip, {
      track,
      createdAt: 3_500_000_000,
      boxes: [userPlace('+48.5-002.25/')],
    });
    expect(await keptOf(source)).toEqual({
      ...{ createdAt: 3_500_000_000, place: { latitude: 48.5, longitude: -2.25 }, positions: [] },
    });
    expect(await framesOf(await keepClip(source))).toHaveLength(FRAMES);
  });

  it('whatever byte of it is damaged', async () => {
    const payload = gpmfPayload(PLACES.slice(0, 2), { key: 'GPS9' });
    const source = withMetadata(clip, { track: { ...gpmfTrack(), samples: [payload] } });
    const at = Buffer.from(source).indexOf(payload);
    for (const i of payload.keys()) {
      const { positions } = await keptOf(source.with(at + i, source[at + i]! ^ 0xff));
      for (const { latitude, longitude } of positions) {
        expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      }
    }
  });
});

/** The place of 3GPP, with a name. */
const loci = (latitude: number, longitude: number, altitude: number): Uint8Array => {
  const numbers = [longitude, latitude, altitude].map((value) => value * 65_536);
  return box(
    'loci',
    words(0),
    Uint8Array.of(0x15, 0xc7),
    latin(`${MARK}\0\0`),
    words(...numbers),
    latin('earth\0\0'),
  );
};

describe('date and place of a video', () => {
  const DATE = '2026-05-04T12:30:01+0200';
  const kept = (texts: Readonly<Record<string, string>>, ...boxes: readonly Uint8Array[]) =>
    keptOf(withMetadata(clip, { createdAt: 3_861_000_000, boxes: [namedTexts(texts), ...boxes] }));

  it.each(['mp4', 'mov'] as const)('are those of the source in the result: %s', async (container) => {
    const source = withMetadata(await clipIn(container), {
      createdAt: 3_861_000_000,
      boxes: [namedTexts({ [DATE_NAME]: DATE, [PLACE_NAME]: '+48.8577-002.2950+035.250/', [MARK]: MARK })],
    });
    const result = await keepClip(source);
    expect(await keptOf(result)).toEqual({
      ...{ createdAt: 3_861_000_000, creationDate: DATE, positions: [] },
      place: { latitude: 48.8577, longitude: -2.295, altitude: 35.25 },
    });
    expect(Buffer.from(result).includes(MARK)).toBe(false);
    const kinds = (await findVideoMetadata(sourceOf(result), 'mp4')).sourceMetadata;
    expect(kinds).toEqual(['place', 'capture-time']);
    const { createdAt, ...rest } = await keptOf(await copyClip(source));
    expect(createdAt).not.toBe(3_861_000_000);
    expect(rest).toEqual({ positions: [] });
  });

  it.each([
    ['Android', userPlace('+48.8577-002.2950/'), { latitude: 48.8577, longitude: -2.295 }],
    ['3GPP', userPlace('', loci(48.5, -2.25, 35)), { latitude: 48.5, longitude: -2.25, altitude: 35 }],
  ])('are read as %s writes the place', async (_, boxes, place) => {
    expect((await kept({}, boxes)).place).toEqual(place);
  });

  it.each([
    ['a name', 'Place of Joe'],
    ['a name behind it', '+48.8577-002.2950/ Joe'],
    ['too many digits', `+48.${'1'.repeat(20)}-002.2950/`],
    ['a latitude beyond the pole', '+98.8577-002.2950/'],
    ['nothing', ''],
    ['only a latitude', '+48.8577/'],
  ])('are dropped where the place is %s', async (_, text) => {
    expect((await kept({ [PLACE_NAME]: text }, userPlace(text))).place).toBeUndefined();
  });

  it.each(['yesterday', '2026-05-04', `${DATE} Joe`, `${DATE}\n`, `20260504T123001${'0'.repeat(200)}`])(
    'are dropped where the date is no moment: %s',
    async (text) => {
      expect(await kept({ [DATE_NAME]: text })).toEqual({ createdAt: 3_861_000_000, positions: [] });
    },
  );

  it('are kept of Matroska as far as it has a field: the date', async () => {
    const mkv = await clipIn('mkv');
    const date = Buffer.alloc(8);
    date.writeBigInt64BE(799_848_000n * 1_000_000_000n); // nanoseconds since 2001
    const source = changeElements(mkv, (id, content) =>
      id === '1549a966'
        ? Buffer.concat([content, element('4461', date), element('7ba9', latin(MARK))])
        : undefined,
    );
    expect(await keptOf(source)).toEqual({ createdAt: 3_861_000_000, positions: [] });
    const result = await keepClip(source);
    expect(await keptOf(result)).toEqual({ createdAt: 3_861_000_000, positions: [] });
    expect(Buffer.from(result).includes(MARK)).toBe(false);
  });

  it('are not sought in files that are not MP4, QuickTime, Matroska or WebM', async () => {
    expect(await keptOf(latin(`RIFF____AVI LIST${'_'.repeat(64)}`))).toEqual({ positions: [] });
    expect(await keptOf(new Uint8Array(0))).toEqual({ positions: [] });
  });
});
