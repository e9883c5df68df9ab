import { readFileSync } from 'node:fs';
import { BURST } from './bursts';
import {
  box,
  changeIndex,
  u32,
  withCoding,
  withDescription,
  withEdits,
  withHandler,
  withLongSizes,
  withMatrix,
  withNegativeOffsets,
} from './mp4-surgery';
import {
  clipOf,
  encode,
  framesAt,
  pcm,
  numberedFramesAt,
  REGULAR,
  SHORT,
  silent,
  silentClip,
  SIZE,
  times,
  UPRIGHT,
  type Matrix,
  type PhoneClip,
  type RefusedFile,
} from './phone-clip';
import { withSecondView } from './second-view';

const TURNS: Readonly<Record<string, Matrix>> = {
  'not turned': UPRIGHT,
  'turned by 90°': [0, 1, -1, 0],
  'turned by 180°': [-1, 0, 0, -1],
  'turned by 270°': [0, -1, 1, 0],
  mirrored: [-1, 0, 0, 1],
  'mirrored and turned by 90°': [0, -1, -1, 0],
  'mirrored and turned by 180°': [1, 0, 0, -1],
  'mirrored and turned by 270°': [0, 1, 1, 0],
};

const phoneFile = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../shared/testing/phone-files/${name}`, import.meta.url)));
const hevc = (): Uint8Array => phoneFile('hevc.mov');

/** Apple's spatial sound: only the name of its codec, and a configuration that nobody knows. */
const withSpatialSound = (clip: Uint8Array, track: number): Uint8Array => {
  const named = Buffer.from(withCoding(clip, track, 'apac'));
  const configuration = named.indexOf('esds', named.indexOf('apac'));
  if (configuration >= 0) named.write('dapa', configuration, 'latin1');
  return named;
};

const JPEG_ITEM = u32(13, 0);
const withCover = (clip: Uint8Array): Uint8Array =>
  changeIndex(clip, (path, content) => {
    if (path !== 'moov') return undefined;
    const cover = box('covr', box('data', JPEG_ITEM, Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)));
    return Buffer.concat([content, box('udta', box('meta', u32(0), box('ilst', cover)))]);
  });

const LATE = { lasts: 0.5, media: -1 };
/** AAC begins with a packet that is not heard. */
const AAC_START = 1024 / 48_000;

const hevcClip = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip> = {}): PhoneClip =>
  clipOf(bytes, { tones: [BURST.from, BURST.from], removed: ['time'], ...more });
const turnedClips = Object.entries(TURNS).map(([name, turn]) => {
  const size = turn[0] === 0 ? { width: SIZE.height, height: SIZE.width } : SIZE;
  const bytes = async () => withMatrix(await silent(SHORT), turn);
  return [`H.264, ${name}`, silentClip(bytes, { shownFrames: numberedFramesAt(SHORT), size, turn })] as const;
});

const ODD_SIZE = { width: 321, height: 241 };
const EVEN_SIZE = { width: 322, height: 242 };
/** The upper left 321 × 241 px: sizes, and the distance of its centre, as fractions. */
const APERTURE = box('clap', u32(321, 1, 241, 1, -1, 2, -1, 2));
const UNEVEN = [0, 0.05, 0.1, 0.3, 0.31, 0.5, 0.7, 0.9];

/** Videos as phones and cameras write them. */
export const PHONE_CLIPS: Readonly<Record<string, PhoneClip>> = {
  'HEVC Main 10 (hvc1) with a time code': hevcClip(hevc),
  'HEVC Main 10 (hev1)': hevcClip(() => withCoding(hevc(), 0, 'hev1'), { isOnlyForServers: true }),
  'HEVC with spatial sound (apac) next to AAC': hevcClip(() => withSpatialSound(hevc(), 2), {
    tones: [BURST.from],
    droppedCodecs: ['apac'],
  }),
  'HEVC, mirrored and turned by 90°': hevcClip(
    () => withMatrix(hevc(), TURNS['mirrored and turned by 90°']!),
    {
      size: { width: SIZE.height, height: SIZE.width },
      turn: TURNS['mirrored and turned by 90°']!,
    },
  ),
  'HEVC that starts late': hevcClip(
    () => {
      const heard = [LATE, { lasts: 1, media: AAC_START }];
      return withEdits(hevc(), [[LATE, { lasts: 1, media: 0.1 }], heard, heard]);
    },
    { shownFrames: numberedFramesAt(REGULAR.map((at) => at + LATE.lasts)), tones: [1, 1] },
  ),
  'HEVC with negative offsets': hevcClip(() => withNegativeOffsets(hevc()), { isOnlyForServers: true }),
  'HEVC of two views (spatial video)': hevcClip(() => withSecondView(hevc()), {
    tones: [],
    removed: ['other-pictures', 'capture-time'],
  }),
  'H.264 High 4:2:2 of 10 bits': clipOf(() => phoneFile('avc-422.mp4'), { removed: [] }),
  'ProRes 4:2:2 of 10 bits': clipOf(() => phoneFile('prores.mov'), { removed: [], needsFfmpeg: true }),
  ...Object.fromEntries(turnedClips),
  'tracks of measurements (mebx) and a time code (tmcd)': clipOf(
    async () => {
      const clip = await encode(REGULAR, { sounds: [pcm, pcm, pcm] });
      const measured = withHandler(withCoding(clip, 2, 'mebx'), 2, 'meta');
      return withHandler(withCoding(measured, 3, 'tmcd'), 3, 'tmcd');
    },
    { removed: ['telemetry', 'capture-time', 'time'] },
  ),
  'three audio tracks, one of an unknown codec (apac)': clipOf(
    async () => withSpatialSound(await encode(REGULAR, { sounds: [pcm, pcm, pcm] }), 2),
    { tones: [BURST.from, BURST.from], droppedCodecs: ['apac'] },
  ),
  'a variable frame rate': clipOf(() => encode(UNEVEN), { shownFrames: numberedFramesAt(UNEVEN) }),
  'an edit list that starts late': clipOf(
    async () => withEdits(await encode(REGULAR), [[LATE, { lasts: 1, media: 0 }]]),
    { shownFrames: numberedFramesAt(REGULAR.map((at) => at + LATE.lasts)) },
  ),
  'an edit list that cuts the start': clipOf(
    async () =>
      withEdits(await encode(REGULAR), [[{ lasts: 0.8, media: 0.2 }], [{ lasts: 0.8, media: 0.2 }]]),
    { shownFrames: numberedFramesAt(times(16, 0.05), 4), tones: [BURST.from - 0.2] },
  ),
  'a cover image': clipOf(async () => withCover(await encode(REGULAR)), {
    removed: ['thumbnail', 'capture-time'],
  }),
  fragments: silentClip(() => silent(REGULAR, { container: 'fragmented' })),
  'the index at the end': clipOf(async () => changeIndex(await encode(REGULAR), () => undefined)),
  'sizes of 64 bits': clipOf(async () => withLongSizes(await encode(REGULAR))),
  'slow motion: 240 frames per second': clipOf(() => encode(times(120, 1 / 240)), {
    shownFrames: times(120, 1).map((i) => [i % 20, i / 240]),
  }),
  'a time lapse: a frame in 10 seconds': silentClip(() => silent(times(5, 10)), {
    shownFrames: numberedFramesAt(times(5, 10)),
  }),
  'one frame': silentClip(() => silent([0]), { shownFrames: [[0, 0]] }),
  'H.264 of 321 × 241 px by its clean aperture': silentClip(
    async () => withDescription(await silent(SHORT, { frames: framesAt(SHORT, EVEN_SIZE) }), APERTURE),
    { shownFrames: numberedFramesAt(SHORT), size: ODD_SIZE },
  ),
  'VP9 of 321 × 241 px': silentClip(
    () => silent(SHORT, { frames: framesAt(SHORT, ODD_SIZE), container: 'mkv', codec: 'vp9' }),
    { shownFrames: numberedFramesAt(SHORT), size: ODD_SIZE, removed: ['device'] },
  ),
};

/** Videos that are refused. */
export const REFUSED_CLIPS: Readonly<Record<string, RefusedFile>> = {
  'an edit list that changes the speed': {
    bytes: async () => withEdits(await silent(SHORT), [[{ lasts: 0.1, media: 0, rate: 2 }]]),
    sentence: /changes its speed/,
  },
};
