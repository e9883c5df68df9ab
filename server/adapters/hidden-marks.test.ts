import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { MetadataKind } from '#shared/domain/image-header';
import { findVideoMetadata } from '#shared/engine/formats/video-metadata';
import { withConversion } from '#shared/engine/video/convert-video';
import { createFakeLog } from '#shared/testing/fake-system';
import { createRaster } from '#shared/testing/rasters';
import { detectTones, packetsOf, sound, SOUND_SECONDS } from '../testing/bursts';
import { copyClip, encodeClip, memoryTarget, sourceOf, type Clip, type Sound } from '../testing/clips';
import { changeElements, element } from '../testing/matroska-surgery';
import { box, changeIndex, u32 } from '../testing/mp4-surgery';
import { remux } from '../testing/remux';
import { temporaryFolder } from '../testing/temporary-folder';
import { findFfmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { createVideoConverter } from './video-converter';

const MARK = 'LEAKNAME';
const mark = Buffer.from(MARK);
const wide = Buffer.from(MARK, 'utf16le');
const FORMS = [mark, wide, Buffer.from(wide).swap16()];

const holdsMark = (bytes: Uint8Array): boolean => FORMS.some((form) => Buffer.from(bytes).includes(form));

const frames: Clip['frames'] = Array.from({ length: 25 * SOUND_SECONDS }, (_, index) => [
  index * 0.04,
  createRaster(64, 48, () => [90, 90, 90]),
]);
const clipWith = (codec: Sound['codec'], container: Clip['container'] = 'mkv', channels = 2) =>
  encodeClip({ frames, container, sounds: [sound(codec, 48_000, channels)] });

/** A comment of Vorbis or FLAC, with the length in front. */
const comment = (text: string | Uint8Array): Uint8Array => {
  const bytes = Buffer.from(text as string);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
};
const comments = (): Uint8Array =>
  Buffer.concat([comment(`${MARK} 1.0`), Buffer.of(2, 0, 0, 0), comment(`${MARK}=Joe`), comment(wide)]);
const flacBlock = (type: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of(type, 0, 0, content.byteLength), content]);
const laced = (length: number): number[] => [
  ...Array<number>(Math.floor(length / 255)).fill(255),
  length % 255,
];
/** The headers of Vorbis with marks behind the first and the last, and a comment header of marks. */
const markedVorbis = (config: Uint8Array): Uint8Array => {
  const head = config.subarray(3, 3 + 30);
  const setup = config.subarray(3 + 30 + (config[2] as number));
  const [first, second] = [
    Buffer.concat([head, mark]),
    Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), comments(), Buffer.of(1), mark]),
  ];
  return Buffer.concat([
    Buffer.of(2, ...laced(first.byteLength), ...laced(second.byteLength)),
    ...[first, second, setup, mark, wide],
  ]);
};
/** The layout of two channels in front, with a comment. */
const AAC_LAYOUT = [0x11, 0x80, 0x04, 0xc4, 0x00, 0x00, 0x20];

/** Configurations with marks, and the kinds of data that the report names. */
const CONFIGS: readonly (readonly [
  codec: Sound['codec'],
  what: string,
  kinds: MetadataKind[],
  change: (config: Uint8Array) => Uint8Array,
])[] = [
  ['vorbis', 'comments and rests', ['device', 'text', 'other'], markedVorbis],
  [
    'flac',
    'comments, pictures, application data, padding',
    ['thumbnail', 'device', 'text', 'other'],
    (config) => {
      const stream = Buffer.from(config.subarray(0, 42));
      stream[4] = 0;
      const blocks = [
        flacBlock(4, comments()),
        flacBlock(6, wide),
        flacBlock(2, mark),
        flacBlock(0x81, mark),
      ];
      return Buffer.concat([stream, ...blocks]);
    },
  ],
  ['aac', 'a rest', ['other'], (config) => Buffer.concat([config, mark, wide])],
  [
    'aac',
    'a comment of the layout of channels',
    ['text'],
    () => Buffer.concat([Buffer.from(AAC_LAYOUT), Buffer.of(mark.byteLength), mark]),
  ],
  ['opus', 'a rest', ['other'], (config) => Buffer.concat([config, mark, wide])],
  ['mp3', 'a configuration that it does not need', ['other'], () => Buffer.concat([mark, wide])],
];

/** Codecs that the package of the tests decodes. */
const DECODED: readonly string[] = ['aac', 'opus'];

const kindsIn = async (bytes: Uint8Array, container: string) =>
  (await findVideoMetadata(sourceOf(bytes), container === 'mkv' ? 'matroska' : 'mp4')).sourceMetadata;

describe('a mark in the codec configuration of audio is not in the result, whose packets are those of the source', () => {
  it.each(
    CONFIGS.flatMap(([codec, what, kinds, change]) =>
      (['mkv', 'mp4', 'mov'] as const).map(
        (container) => [container, codec, what, { kinds, change }] as const,
      ),
    ),
  )('%s with %s: %s', async (container, codec, _what, { kinds, change }) => {
    const source = await remux(await clipWith(codec), container, change);
    const isWritten = !['opus.mp4', 'opus.mov'].includes(`${codec}.${container}`);
    expect(holdsMark(source)).toBe(isWritten); // otherwise the muxer of the test leaves it out
    const copy = await copyClip(source);
    expect(holdsMark(copy)).toBe(false);
    expect(await packetsOf(copy)).toEqual(await packetsOf(source));
    if (isWritten) expect(await kindsIn(source, container)).toEqual(expect.arrayContaining(kinds));
    if (!DECODED.includes(codec)) return;
    const [[before], [after]] = [await detectTones(await clipWith(codec)), await detectTones(copy)];
    expect(after).toEqual(before);
  });
});

describe('a mark in a container is not in the result', () => {
  it.each(['mp4', 'mov'] as const)('in any box: %s', async (container) => {
    const text = box('©nam'.replace('©', '\xa9'), mark, wide);
    const key = box('mdta', Buffer.from(`com.${MARK}`));
    const meta = box(
      ...(['meta', u32(0), box('hdlr', u32(0, 0), Buffer.from('mdta'), u32(0, 0, 0), mark)] as const),
      ...[box('keys', u32(0, 1), key), box('ilst', box('\0\0\0\x01', box('data', u32(1, 0), mark)))],
    );
    const own = [
      box('free', mark),
      box('skip', wide),
      box('uuid', Buffer.alloc(16), mark),
      box('abcd', mark),
    ];
    const info = box('udta', text, box('XMP_', mark), box('name', mark), box('loci', wide), meta);
    const roomy = ['moov', 'moov/trak', 'moov/trak/mdia', 'moov/trak/mdia/minf', 'moov/trak/mdia/minf/stbl'];
    const source = changeIndex(await clipWith('aac', container), (path, content) => {
      const bytes = Buffer.from(content);
      if (roomy.includes(path)) return Buffer.concat([bytes, info, meta, ...own]);
      if (path === 'moov/trak/mdia/hdlr') return Buffer.concat([bytes.subarray(0, 24), mark, Buffer.of(0)]);
      const url = path === 'moov/trak/mdia/minf/dinf/dref';
      if (url) return Buffer.concat([u32(0, 1), box('url ', u32(1), mark)]);
      if (path !== 'moov/trak/mdia/minf/stbl/stsd' || !bytes.includes('avc1')) return undefined;
      return (bytes.write(`\x08${MARK}`, bytes.indexOf('avc1') + 46, 'latin1'), bytes);
    });
    const trailer = Buffer.concat([source, ...own, meta, u32(4), mark]); // bytes behind the last box
    expect(Buffer.from(trailer).toString('latin1').split(MARK).length).toBeGreaterThan(60);
    const copy = await copyClip(trailer);
    expect(holdsMark(copy)).toBe(false);
    expect(await packetsOf(copy)).toEqual(await packetsOf(source));
  });

  it('in any element of Matroska', async () => {
    const tag = element('7373', element('67c8', element('45a3', mark), element('4487', wide)));
    const file = element(
      '61a7',
      element('466e', mark),
      element('4660', Buffer.from('image/jpeg')),
      element('465c', wide),
    );
    const chapter = element('45b9', element('b6', element('80', element('85', mark))));
    const inSegment = [element('1254c367', tag), element('1941a469', file), element('1043a770', chapter)];
    const info = ['7ba9', '7384', '3c83ab', '3e83bb', '4d80', '5741', '73a4', 'ec'].map((id) =>
      element(id, mark, wide),
    );
    const inTrack = ['536e', '258688', '3a9697', '26b240', 'ec'].map((id) => element(id, mark));
    const source = changeElements(await clipWith('aac'), (id, content) => {
      if (id === '18538067') return Buffer.concat([...inSegment, content, element('ec', mark)]);
      if (id === '1549a966') return Buffer.concat([content, ...info]);
      if (id === 'ae') return Buffer.concat([content, ...inTrack]);
      return id === '1f43b675'
        ? Buffer.concat([content, element('ec', mark), element('ab', mark)])
        : undefined;
    });
    const trailer = Buffer.concat([source, mark]);
    expect(trailer.toString('latin1').split(MARK).length).toBeGreaterThan(20);
    const copy = await copyClip(trailer);
    expect(holdsMark(copy)).toBe(false);
    expect(await packetsOf(copy)).toEqual(await packetsOf(source));
    expect(await detectTones(copy)).toEqual(await detectTones(await clipWith('aac')));
  });
});

const ffmpeg = await findFfmpeg(undefined, process.env);
if (!ffmpeg) console.warn('Skipped: marks in containers that are converted, because no ffmpeg is installed.');

describe.skipIf(!ffmpeg)('a mark in a container that ffmpeg converts is not in the result', () => {
  const tags = ['title', 'artist', 'comment', 'copyright', 'service_name', 'service_provider', MARK];

  const hidesMark = async (name: string, audio: string, video: string): Promise<void> => {
    const folder = join(temporaryFolder(), 'task');
    mkdirSync(folder);
    const [clip, path] = [join(temporaryFolder(), 'clip.mkv'), join(folder, name)];
    writeFileSync(clip, await clipWith('pcm-s16'));
    const marks = tags.flatMap((tag) =>
      ['', ':s:v', ':s:a'].flatMap((of) => [`-metadata${of}`, `${tag}=${MARK} Joe`]),
    );
    const coding = ['-c:v', video, '-c:a', audio, ...(audio === 'flac' ? ['-strict', '-2'] : [])];
    execFileSync(ffmpeg!.path, ['-v', 'error', '-i', clip, ...coding, ...marks, path]);
    const source = readFileSync(path);
    expect(holdsMark(source)).toBe(true);
    const codec = withConversion(videoCodec, createVideoConverter(ffmpeg!, createFakeLog()));
    const handle = { path, convertedPath: `${path}.converted.mp4` };
    const never = new AbortController().signal;
    const reader = await codec.open({ ...sourceOf(source), handle }, LIMITS, never);
    const target = memoryTarget();
    const writer = await reader.createWriter(target, { keepBitRate: false });
    for await (const frame of reader.frames(never)) await writer.add(frame);
    await writer.finish();
    reader.close();
    await reader.discard?.();
    expect(reader.droppedAudioTracks).toEqual([]);
    expect(holdsMark(target.bytes())).toBe(false);
  };
  it.each([
    ['a.avi', 'libmp3lame', 'mpeg4'],
    ['a.ogv', 'libvorbis', 'libtheora'],
  ])('%s with %s and %s', hidesMark);
  it.each([
    ['a.avi', 'pcm_s16le', 'mpeg4'],
    ['a.wmv', 'wmav2', 'wmv2'],
    ['a.flv', 'aac', 'flv'],
    ['a.ts', 'aac', 'mpeg2video'],
    ['a.ogv', 'flac', 'libtheora'],
    ['a.ogv', 'libopus', 'libtheora'],
    ['a.mkv', 'libvorbis', 'mpeg4'],
    ['a.mkv', 'flac', 'mpeg4'],
    ['a.mov', 'alac', 'mpeg4'],
  ])('%s with %s and %s', { tags: ['slow'] }, hidesMark);
});
