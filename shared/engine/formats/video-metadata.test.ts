import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../ports/video';
import { RAMP_MP4 } from '../../testing/video-files';
import { findVideoMetadata } from './video-metadata';

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.byteLength,
  read: async (start, end) => bytes.slice(start, end),
});

/** Characters as bytes, also `©`. */
const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * values.length);
  for (const [index, value] of values.entries()) new DataView(bytes.buffer).setUint32(4 * index, value);
  return bytes;
};
const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = join(...content);
  return join(u32(bytes.byteLength + 8), latin(type), bytes);
};

const NO_TRACKS = { video: 0, audio: 0, subtitles: 0, data: 0 };

describe('the metadata of an MP4 or QuickTime file', () => {
  const handler = (type: string): Uint8Array => box('hdlr', u32(0, 0), latin(type), u32(0, 0, 0));
  const track = (type: string, id = 1, ...more: readonly Uint8Array[]): Uint8Array =>
    box(
      'trak',
      box('tkhd', u32(0, 0, 0, id)),
      box('mdia', box('mdhd', u32(0, 0, 0, 0)), handler(type)),
      ...more,
    );
  const movie = (...boxes: readonly Uint8Array[]): Uint8Array =>
    join(box('ftyp', latin('isom')), box('moov', box('mvhd', u32(0, 0, 0, 0)), ...boxes), box('mdat'));
  const find = (bytes: Uint8Array) => findVideoMetadata(sourceOf(bytes), 'mp4');
  const kindsIn = async (bytes: Uint8Array) => (await find(bytes)).sourceMetadata;
  const item = (type: string): Uint8Array => box(type, latin('value'));
  const key = (name: string): Uint8Array => box('mdta', latin(name));
  const quickTimeKeys = (...names: readonly string[]): Uint8Array =>
    box(
      'meta',
      handler('mdta'),
      box('keys', u32(0, names.length), ...names.map(key)),
      box('ilst', item('\x00\x00\x00\x01')),
    );
  const itunes = (...types: readonly string[]): Uint8Array =>
    box('udta', box('meta', u32(0), handler('mdir'), box('ilst', ...types.map(item))));

  it.each([
    ['no metadata', [], []],
    ['the position of a phone', [box('udta', item('©xyz'))], ['place']],
    ['the position of 3GPP', [box('udta', item('loci'))], ['place']],
    ['make, model and program', [box('udta', item('©mak'), item('©mod'), item('©swr'))], ['device']],
    ['a title and a comment', [itunes('©nam', '©cmt')], ['text']],
    ['a cover', [itunes('covr')], ['thumbnail']],
    ['the program that wrote it', [itunes('©too')], ['device']],
    ['a date', [box('udta', item('©day'))], ['time']],
    ['Nero chapters', [box('udta', item('chpl'))], ['chapters']],
    ['XMP', [box('udta', item('XMP_'))], ['xmp']],
    ['settings of an action camera', [box('udta', item('FIRM'), item('LENS'))], ['maker-notes']],
    ['data that is not known', [box('udta', item('abcd'))], ['other']],
    ['an empty list', [box('udta', u32(0))], []],
    ['a name of a track', [track('vide', 1, box('udta', item('name')))], ['text']],
    [
      'the names of QuickTime',
      [
        quickTimeKeys(
          ...['com.apple.quicktime.location.ISO6709', 'com.apple.quicktime.make'],
          ...['com.apple.quicktime.creationdate', 'com.apple.quicktime.title', 'com.example.x'],
        ),
      ],
      ['place', 'capture-time', 'device', 'text', 'other'],
    ],
  ])('lists %s', async (_, boxes, kinds) => {
    expect(await kindsIn(movie(...boxes))).toEqual(kinds);
  });

  it('lists when the movie, a track or its media was made', async () => {
    const [made, long] = [u32(0, 3_500_000_000, 0, 0), u32(0x01000000, 0, 3_500_000_000, 0, 0, 0)];
    const file = (header: Uint8Array, inTrack: Uint8Array, inMedia: Uint8Array): Uint8Array =>
      join(
        box('ftyp'),
        box(
          'moov',
          box('mvhd', header),
          box('trak', box('tkhd', inTrack, u32(0, 1)), box('mdia', box('mdhd', inMedia), handler('vide'))),
        ),
      );
    const no = u32(0, 0, 0, 0);
    expect(await kindsIn(file(no, no, no))).toEqual([]);
    expect(await kindsIn(file(made, no, no))).toEqual(['capture-time']);
    expect(await kindsIn(file(long, no, no))).toEqual(['capture-time']);
    expect(await kindsIn(file(no, made, no))).toEqual(['capture-time']);
    expect(await kindsIn(file(no, no, made))).toEqual(['capture-time']);
  });

  it('counts the tracks, and lists what they contain', async () => {
    const chapters = box('tref', box('chap', u32(7)));
    const found = await find(
      movie(
        ...[
          track('vide', 1, chapters),
          track('vide', 2),
          track('soun', 3),
          track('soun', 4),
          track('sbtl', 5),
        ],
        ...[track('meta', 6), track('text', 7), track('tmcd', 8)],
      ),
    );
    expect(found.sourceTracks).toEqual({ video: 2, audio: 2, subtitles: 1, data: 3 });
    expect(found.sourceMetadata).toEqual(['telemetry', 'other-pictures', 'subtitles', 'chapters', 'time']);
  });

  it('lists boxes next to the movie, and bytes after the last box', async () => {
    const xmp = box(
      'uuid',
      Uint8Array.from(Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')),
      latin('<x/>'),
    );
    expect(await kindsIn(join(movie(), xmp))).toEqual(['xmp']);
    expect(await kindsIn(join(movie(), box('uuid', new Uint8Array(16))))).toEqual(['other']);
    expect(await kindsIn(join(movie(), box('free', latin('some'))))).toEqual([]);
    expect(await kindsIn(join(movie(), u32(4), latin('SEFT of a phone')))).toEqual(['trailer']);
  });

  it('is empty for a video without any', async () => {
    expect(await find(RAMP_MP4)).toEqual({ sourceMetadata: [], sourceTracks: { ...NO_TRACKS, video: 1 } });
  });

  it('is not stated if the structure is damaged, and no damaged byte is an error', async () => {
    const good = movie(track('vide'), quickTimeKeys('location'), itunes('©nam'));
    expect(await kindsIn(good)).toEqual(['place', 'text']);
    expect(await find(movie(box('udta', u32(99), latin('©xyz'))))).toEqual({});
    expect(await find(movie(box('trak', box('tkhd', u32(0)))))).toEqual({});
    for (const at of good.keys()) {
      await expect(find(good.with(at, good[at]! ^ 0xff)), `byte ${at}`).resolves.toBeTypeOf('object');
    }
  });
});

describe('the metadata of a Matroska or WebM file', () => {
  const idBytes = (id: number): Uint8Array =>
    Uint8Array.from(Buffer.from(id.toString(16).padStart(id > 0xffffff ? 8 : 2, '0'), 'hex'));
  const element = (id: number, ...content: readonly Uint8Array[]): Uint8Array => {
    const bytes = join(...content);
    return join(idBytes(id), join(Uint8Array.of(0x08), u32(bytes.byteLength)), bytes);
  };
  const [HEADER, SEGMENT, INFO, TRACKS] = [0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b];
  const [CLUSTER, TAGS, CHAPTERS, ATTACHMENTS] = [0x1f43b675, 0x1254c367, 0x1043a770, 0x1941a469];
  const track = (type: number, ...more: readonly Uint8Array[]): Uint8Array =>
    element(0xae, element(0x83, Uint8Array.of(type)), ...more);
  const file = (...parts: readonly Uint8Array[]): Uint8Array =>
    join(element(HEADER, latin('x')), element(SEGMENT, ...parts));
  const find = (bytes: Uint8Array) => findVideoMetadata(sourceOf(bytes), 'webm');
  const kindsIn = async (bytes: Uint8Array) => (await find(bytes)).sourceMetadata;
  const tag = (name: string): Uint8Array =>
    element(TAGS, element(0x7373, element(0x67c8, element(0x45a3, latin(name)))));

  it.each([
    ['no metadata', [element(INFO), element(TRACKS, track(1))], []],
    [
      'the title and the date',
      [element(INFO, element(0x7ba9, latin('x')), element(0x4461))],
      ['capture-time', 'text'],
    ],
    ['the program that wrote it', [element(INFO, element(0x5741, latin('x')))], ['device']],
    ['the name of a track', [element(TRACKS, track(1, element(0x536e, latin('x'))))], ['text']],
    ['chapters', [element(CHAPTERS)], ['chapters']],
    [
      'an attached image',
      [element(ATTACHMENTS, element(0x61a7, element(0x4660, latin('image/png'))))],
      ['thumbnail'],
    ],
    [
      'an attached font',
      [element(ATTACHMENTS, element(0x61a7, element(0x4660, latin('font/ttf'))))],
      ['other'],
    ],
    ['the position in tags', [tag('com.apple.quicktime.location.ISO6709')], ['place']],
    ['the camera in tags after the media', [element(CLUSTER, element(0xe7)), tag('MAKE')], ['device']],
    ['unknown tags', [tag('ABC')], ['other']],
    ['no statistics of tracks', [tag('NUMBER_OF_FRAMES-eng')], []],
  ])('lists %s', async (_, parts, kinds) => {
    expect(await kindsIn(file(...parts))).toEqual(kinds);
  });

  it('counts the tracks, and lists what they contain', async () => {
    const tracks = [1, 1, 2, 2, 2, 0x11, 0x21].map((type) => track(type));
    expect(await find(file(element(TRACKS, ...tracks)))).toEqual({
      sourceTracks: { video: 2, audio: 3, subtitles: 1, data: 1 },
      sourceMetadata: ['telemetry', 'other-pictures', 'subtitles'],
    });
  });

  it('lists what follows clusters of unknown size, and bytes after the segment', async () => {
    const open = join(idBytes(CLUSTER), Uint8Array.of(0xff), element(0xe7, Uint8Array.of(0)));
    expect(await kindsIn(file(open, open, tag('LOCATION')))).toEqual(['place']);
    expect(await kindsIn(join(file(), latin('more')))).toEqual(['trailer']);
  });

  it('is not stated if the structure is damaged', async () => {
    expect(await find(file(element(INFO, latin('\xff\xff\xff\xff'))))).toEqual({});
    expect(await find(latin('no video'))).toEqual({});
  });
});

it('the metadata of other containers is not stated', async () => {
  expect(await findVideoMetadata(sourceOf(latin('RIFF')), 'avi')).toEqual({});
});
