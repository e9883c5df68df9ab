import type { MetadataKind } from '#shared/domain/image-header';
import type { HdrTransfer } from '#shared/domain/hdr';
import type { Projection } from '#shared/domain/projection';
import type { Raster, Size } from '#shared/domain/raster';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { BURST, sound } from './bursts';
import { encodeClip, type Clip } from './clips';

export type Matrix = readonly [number, number, number, number];

/** A file, and what its result has to have. */
export interface PhoneClip {
  readonly bytes: () => Promise<Uint8Array> | Uint8Array;
  /** The number in each image that is shown, and its time in seconds. */
  readonly shownFrames: readonly (readonly [number: number, seconds: number])[];
  readonly size: Size;
  /** Transfer of a clip that shows the chart of `hdr-files/` instead of numbers. */
  readonly chart?: HdrTransfer;
  /** What the report says of a panorama, whose marks are hidden. */
  readonly projection?: Projection;
  /** How marks move. */
  readonly turn: Matrix;
  /** When the tone begins in each audio track that is kept, in seconds. */
  readonly tones: readonly number[];
  readonly droppedCodecs: readonly string[];
  /** Kinds of metadata that the report names. */
  readonly removed: readonly MetadataKind[];
  /** Kinds that stay because the upload asks for them; none: it does not ask. */
  readonly kept: readonly MetadataKind[];
  /** Whether a server without ffmpeg refuses it. */
  readonly needsFfmpeg: boolean;
  /** Whether a page would only convert it, as others of the list. */
  readonly isOnlyForServers: boolean;
}

/** A file that is refused, and the words of the sentence. */
export interface RefusedFile {
  readonly bytes: PhoneClip['bytes'];
  readonly sentence: RegExp;
  /** Of its name, where that matters. */
  readonly extension?: string;
}

export const SIZE = { width: 160, height: 120 };
const MARK_PX = 16;
/** The corners of the marks and of the number, as x and y from 0 to 1. */
const CORNERS = { red: [1, 0], green: [0, 1], number: [1, 1] } as const;
const levelOf = (number: number): number => 30 + 10 * number;

/** An image that states its number and which corner is which; also in `make-phone-files.py`. */
const imageOf = (number: number, { width, height }: Size): Raster =>
  createRaster(width, height, (x, y) => {
    const [isRight, isLow] = [x >= width - MARK_PX, y >= height - MARK_PX];
    if (isRight && y < MARK_PX) return [220, 30, 30];
    if (isLow && x < MARK_PX) return [30, 200, 30];
    if (isLow && isRight) return [levelOf(number), levelOf(number), levelOf(number)];
    const level = (Math.floor(x / 20) + Math.floor(y / 20)) % 2 === 1 ? 200 : 60;
    return [level, level, level];
  });

const turned = ([x, y]: readonly [number, number], [a, b, c, d]: Matrix): readonly [number, number] => [
  a * x + c * y + (a + c < 0 ? 1 : 0),
  b * x + d * y + (b + d < 0 ? 1 : 0),
];

/** The number that an image states, with the error of its coding; undefined where its marks are not in the corners to which they are turned. */
export const numberIn = (raster: Raster, turn: Matrix): number | undefined => {
  const at = (corner: readonly [number, number]) => {
    const [x, y] = turned(corner, turn);
    const inside = (side: number, isFar: number) => (isFar ? side - MARK_PX / 2 : MARK_PX / 2);
    return pixelAt(raster, inside(raster.width, x), inside(raster.height, y));
  };
  const [red, green, [level]] = [at(CORNERS.red), at(CORNERS.green), at(CORNERS.number)];
  const hasMarks = red[0] > red[1] + 90 && green[1] > green[0] + 90;
  return hasMarks ? (level - levelOf(0)) / (levelOf(1) - levelOf(0)) : undefined;
};

export const UPRIGHT: Matrix = [1, 0, 0, 1];
export const times = (count: number, step: number): number[] =>
  Array.from({ length: count }, (_, i) => i * step);
/** Of the files of `make-phone-files.py`. */
export const REGULAR = times(20, 0.05);
export const SHORT = times(3, 0.05);
export const numberedFramesAt = (seconds: readonly number[], first = 0) =>
  seconds.map((at, i) => [first + i, at] as const);
export const framesAt = (seconds: readonly number[], size: Size = SIZE): Clip['frames'] =>
  seconds.map((at, i) => [at, imageOf(i % 20, size)]);
export const pcm = sound('pcm-s16', 16_000, 1);
export const encode = (seconds: readonly number[], more: Partial<Clip> = {}): Promise<Uint8Array> =>
  encodeClip({ frames: framesAt(seconds), container: 'mov', sounds: [pcm], ...more });
export const silent = (seconds: readonly number[], more: Partial<Clip> = {}): Promise<Uint8Array> =>
  encode(seconds, { sounds: [], ...more });

export const clipOf = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip> = {}): PhoneClip => ({
  bytes,
  shownFrames: numberedFramesAt(REGULAR),
  size: SIZE,
  turn: UPRIGHT,
  tones: [BURST.from],
  droppedCodecs: [],
  removed: ['capture-time'],
  kept: [],
  needsFfmpeg: false,
  isOnlyForServers: false,
  ...more,
});
export const silentClip = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip> = {}): PhoneClip =>
  clipOf(bytes, { tones: [], ...more });
