import type { TimedPlace } from '../domain/kept-in-video';
import { PLACE_PACKET_BYTES, placePackets } from '../engine/formats/positions/camm';
import { box, flaggedBox, fullBox, HEADER_BYTES, latin, wordList, words } from './write-boxes';

/** Units of a second. They divide milliseconds and the frames of all usual rates. */
const TIMESCALE = 90_000;
const ticks = (seconds: number): number => Math.round(seconds * TIMESCALE);

/** What the track takes from the movie. */
export interface MovieFacts {
  readonly trackId: number;
  /** Units of a second. */
  readonly timescale: number;
  readonly durationSeconds: number;
  /** Seconds since 1904; 0 where it is not known. */
  readonly createdAt: number;
}

/** Duration of each sample, up to the next one; of the last one as of the one before it, up to the end. */
const durations = (positions: readonly TimedPlace[], endSeconds: number): number[] => {
  const times = positions.map(({ seconds }) => ticks(seconds));
  const between = times.slice(1).map((time, i) => time - times[i]!);
  const left = Math.max(1, ticks(endSeconds) - times.at(-1)!);
  return [...between, Math.min(left, between.at(-1) || left)];
};

/** Runs of equal values: pairs of their number and the value. */
const runsOf = (values: readonly number[]): number[] => {
  const runs: number[] = [];
  for (const value of values) {
    if (runs.at(-1) === value) runs[runs.length - 2]! += 1;
    else runs.push(1, value);
  }
  return runs;
};

const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
/** Undetermined, three letters of five bits. */
const LANGUAGE = 0x55c4;
const ENABLED = 1;
const IN_THIS_FILE = 1;

/** Offset of the media in 32 or 64 bits. */
const chunkOffset = (at: number): Uint8Array =>
  at < 2 ** 32
    ? fullBox('stco', words(1, at))
    : fullBox('co64', words(1, Math.floor(at / 2 ** 32), at % 2 ** 32));

const sampleTables = (lasting: readonly number[], mediaAt: number): Uint8Array => {
  const runs = runsOf(lasting);
  const entry = box('camm', words(0, 1)); // six reserved bytes, and the number of the data reference
  return box(
    'stbl',
    fullBox('stsd', words(1), entry),
    fullBox('stts', words(runs.length / 2), wordList(runs)),
    fullBox('stsc', words(1, 1, lasting.length, 1)),
    fullBox('stsz', words(PLACE_PACKET_BYTES, lasting.length)),
    chunkOffset(mediaAt),
  );
};

/** Shows the media from the time of the first position on. */
const editList = (startSeconds: number, mediaSeconds: number, { timescale }: MovieFacts): Uint8Array[] => {
  const start = Math.round(startSeconds * timescale);
  if (start === 0) return [];
  const lasts = Math.round(mediaSeconds * timescale);
  return [box('edts', fullBox('elst', words(2, start, -1, 0x10000, lasts, 0, 0x10000)))];
};

/**
 * A track with nothing but positions: camera motion metadata, packets of type 5.
 *
 * @param positions at least one, in order
 * @param at offset in the file at which `media` will be
 * @returns the box for the index, and the box with the packets
 * @see https://developers.google.com/streetview/publish/camm-spec
 */
export const positionsTrack = (
  positions: readonly TimedPlace[],
  movie: MovieFacts,
  at: number,
): { readonly media: Uint8Array; readonly track: Uint8Array } => {
  const { trackId, createdAt, timescale, durationSeconds } = movie;
  const lasting = durations(positions, durationSeconds);
  const mediaTicks = lasting.reduce((sum, one) => sum + one, 0);
  const [first, mediaSeconds] = [positions[0]!.seconds, mediaTicks / TIMESCALE];
  const lastsInMovie = Math.round((first + mediaSeconds) * timescale);
  const dates = [createdAt, createdAt];
  const media = box('mdat', placePackets(positions));
  const track = box(
    'trak',
    flaggedBox('tkhd', ENABLED, words(...dates, trackId, 0, lastsInMovie, 0, 0, 0, 0, ...MATRIX, 0, 0)),
    ...editList(first, mediaSeconds, movie),
    box(
      'mdia',
      fullBox('mdhd', words(...dates, TIMESCALE, mediaTicks, LANGUAGE * 2 ** 16)),
      fullBox('hdlr', words(0), latin('meta'), words(0, 0, 0), latin('\0')),
      box(
        'minf',
        fullBox('nmhd'),
        box('dinf', fullBox('dref', words(1), flaggedBox('url ', IN_THIS_FILE))),
        sampleTables(lasting, at + HEADER_BYTES),
      ),
    ),
  );
  return { media, track };
};
