import type { Place } from '../domain/kept-in-video';
import { joinBytes, viewOf } from '../engine/formats/bytes';
import { boxesIn } from '../engine/formats/mp4-boxes';
import { box, flaggedBox, fullBox, latin, words } from '../media/write-boxes';

const NO_BYTES = new Uint8Array(0);

/** One entry of GPMF with elements of some bytes. @param type a letter, or a NUL for entries with entries in them */
export const gpmf = (
  key: string,
  type: string,
  elementBytes: number,
  ...content: readonly Uint8Array[]
): Uint8Array => {
  const bytes = joinBytes(content);
  const count = bytes.byteLength / elementBytes;
  const head = Uint8Array.of(...latin(key + type), elementBytes, count >> 8, count & 0xff);
  return joinBytes([head, bytes, new Uint8Array(-bytes.byteLength & 3)]);
};
export const gpmfNest = (key: string, ...content: readonly Uint8Array[]): Uint8Array =>
  gpmf(key, '\0', 4, ...content);
const gpmfText = (key: string, text: string): Uint8Array => gpmf(key, 'c', 1, latin(text));

type Measured = Required<Place>;

const inUnits = ({ latitude, longitude, altitude }: Measured): number[] => [
  ...[latitude * 1e7, longitude * 1e7, altitude * 1000].map(Math.round),
  ...[4321, 432],
];

const gps5 = (places: readonly Measured[]): Uint8Array[] => [
  gpmf('SCAL', 'l', 4, words(10_000_000, 10_000_000, 1000, 1000, 100)),
  gpmf('GPS5', 'l', 20, ...places.map((place) => words(...inUnits(place)))),
];

/** Days since 2000, milliseconds of the day, dilution of precision, and a fix in three dimensions. */
const gps9 = (places: readonly Measured[]): Uint8Array[] => [
  gpmfText('TYPE', 'lllllllSS'),
  gpmf('SCAL', 'l', 4, words(10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1)),
  gpmf(
    'GPS9',
    '?',
    32,
    ...places.map((place) => words(...inUnits(place), 9000, 45_000_500, 150 * 65_536 + 3)),
  ),
];

interface PayloadOptions {
  readonly key?: 'GPS5' | 'GPS9';
  /** 0 where the receiver does not know its position, 2 or 3 where it does. */
  readonly fix?: number;
  /** In all fields of texts. */
  readonly mark?: string;
}

/** A payload as cameras of GoPro write it: with names of the device, motion, faces and positions. */
export const gpmfPayload = (
  places: readonly Measured[],
  { key = 'GPS5', fix = 3, mark = 'HERO99' }: PayloadOptions = {},
): Uint8Array =>
  gpmfNest(
    'DEVC',
    gpmf('DVID', 'L', 4, words(0x1001)),
    gpmfText('DVNM', mark),
    gpmfNest(
      'STRM',
      gpmfText('STNM', mark),
      gpmf('SCAL', 's', 2, Uint8Array.of(1, 0xa2)),
      gpmf('ACCL', 's', 6, new Uint8Array(12).fill(7)),
    ),
    gpmfNest('STRM', gpmf('FACE', 'F', 4, latin(mark.padEnd(8).slice(0, 8)))),
    gpmfNest(
      'STRM',
      gpmfText('RMRK', mark),
      gpmf('GPSU', 'U', 16, latin('260504123001.000')),
      gpmf('GPSF', 'L', 4, words(fix)),
      ...(key === 'GPS5' ? gps5(places) : gps9(places)),
    ),
  );

const cammHead = (byteLength: number, type: number): DataView<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(byteLength));
  view.setUint16(2, type, true);
  return view;
};

/** A packet of camera motion metadata of type 5: a position. */
export const cammPacket = ({ latitude, longitude, altitude }: Measured): Uint8Array => {
  const view = cammHead(28, 5);
  for (const [i, value] of [latitude, longitude, altitude].entries()) view.setFloat64(4 + 8 * i, value, true);
  return new Uint8Array(view.buffer);
};

/** A packet of type 6: a position with time, fix, accuracy and speed. */
export const cammGpsPacket = ({ latitude, longitude, altitude }: Measured, fix = 3): Uint8Array => {
  const view = cammHead(60, 6);
  view.setFloat64(4, 1_461_933_001.25, true);
  view.setInt32(12, fix, true);
  view.setFloat64(16, latitude, true);
  view.setFloat64(24, longitude, true);
  for (const [i, value] of [altitude, 2, 3, 4, 5, 6, 7].entries()) view.setFloat32(32 + 4 * i, value, true);
  return new Uint8Array(view.buffer);
};

/** A packet of type 2: the gyroscope. */
export const cammTurnPacket = (): Uint8Array => new Uint8Array(cammHead(16, 2).buffer);

/** A track of data. */
export interface DataTrack {
  readonly coding: string;
  /** Units of a second. */
  readonly timescale: number;
  readonly samples: readonly Uint8Array[];
  /** Of each sample, in units. */
  readonly duration: number;
  /** Boxes of an edit list. */
  readonly edits?: readonly Uint8Array[];
  /** Changes the contents of the track's boxes. */
  readonly change?: (type: string, content: Uint8Array) => Uint8Array;
}

/** @param mediaAt offset of its samples in the file */
const trackBox = (track: DataTrack, mediaAt: number): Uint8Array => {
  const { coding, timescale, samples, duration, edits = [], change = (_type, content) => content } = track;
  const part = (type: string, ...content: readonly Uint8Array[]): Uint8Array =>
    box(type, change(type, joinBytes(content)));
  const length = samples.length * duration;
  const tables = part(
    'stbl',
    part('stsd', words(0, 1), box(coding, words(0, 1))),
    part('stts', words(0, 1, samples.length, duration)),
    part('stsc', words(0, 1, 1, samples.length, 1)),
    part('stsz', words(0, 0, samples.length, ...samples.map(({ byteLength }) => byteLength))),
    part('stco', words(0, 1, mediaAt)),
  );
  const media = part(
    'mdia',
    part('mdhd', words(0, 0, 0, timescale, length, 0)),
    part('hdlr', words(0, 0), latin('meta'), words(0, 0, 0), latin('\0')),
    part('minf', fullBox('nmhd'), box('dinf', fullBox('dref', words(1), flaggedBox('url ', 1))), tables),
  );
  return part('trak', part('tkhd', words(0, 0, 0, 77, 0, length), new Uint8Array(60)), ...edits, media);
};

/** An edit list. @param entries length in units of the movie, and start in units of the track; −1 shows nothing */
export const editList = (...entries: readonly (readonly [length: number, start: number])[]): Uint8Array =>
  box('edts', fullBox('elst', words(entries.length), ...entries.map(([a, b]) => words(a, b, 0x10000))));

const DATED = ['mvhd', 'tkhd', 'mdhd'];
const setDates = (bytes: Uint8Array, start: number, end: number, seconds: number): void => {
  for (const { type, start: from, end: to } of boxesIn(bytes, start, end)) {
    if (type === 'trak' || type === 'mdia') setDates(bytes, from, to, seconds);
    if (DATED.includes(type)) for (const at of [4, 8]) viewOf(bytes).setUint32(from + at, seconds);
  }
};

/** What a phone or camera adds to a clip. */
interface ClipMetadata {
  readonly track?: DataTrack;
  /** Seconds since 1904, in all headers. */
  readonly createdAt?: number;
  /** In the index. */
  readonly boxes?: readonly Uint8Array[];
}

/** An MP4 file with metadata: its index is written again at its end, and the first one becomes free space. */
export const withMetadata = (
  clip: Uint8Array,
  { track, createdAt, boxes = [] }: ClipMetadata,
): Uint8Array => {
  const old = [...boxesIn(clip, 0, clip.byteLength)].find(({ type }) => type === 'moov')!;
  const index = clip.slice(old.start, old.end);
  if (createdAt !== undefined) setDates(index, 0, index.byteLength, createdAt);
  const media = clip.slice();
  media.set(latin('free'), old.start - 4);
  return joinBytes([
    media,
    track ? box('mdat', ...track.samples) : NO_BYTES,
    box('moov', index, track ? trackBox(track, clip.byteLength + 8) : NO_BYTES, ...boxes),
  ]);
};

/** The place among the user data of a movie, as Android writes it. */
export const userPlace = (text: string, ...entries: readonly Uint8Array[]): Uint8Array =>
  box('udta', box('©xyz', words(text.length * 0x10000 + 0x15c7), latin(text)), ...entries);

/** Named texts of QuickTime, as phones write them. */
export const namedTexts = (texts: Readonly<Record<string, string>>): Uint8Array => {
  const all = Object.entries(texts);
  const item = (value: string, i: number): Uint8Array =>
    box(String.fromCharCode(0, 0, 0, i + 1), box('data', words(1, 0), latin(value)));
  return box(
    'meta',
    fullBox('hdlr', words(0), latin('mdta'), words(0, 0, 0), latin('\0')),
    fullBox('keys', words(all.length), ...all.map(([name]) => box('mdta', latin(name)))),
    box('ilst', ...all.map(([, value], i) => item(value, i))),
  );
};

export const DATE_NAME = 'com.apple.quicktime.creationdate';
export const PLACE_NAME = 'com.apple.quicktime.location.ISO6709';

/** A way along a street. */
export const streetPath = (count: number): Measured[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ latitude: 48.8577 + i * 1e-4, longitude: -2.295 - i * 1e-4, altitude: 35.5 + i / 4 },
  }));
