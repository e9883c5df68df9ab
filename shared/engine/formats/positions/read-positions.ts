import { isPlace, type Place, type TimedPlace } from '../../../domain/kept-in-video';
import { corruptStructure, indexTooLarge } from '../../../domain/failure';
import type { ByteSource } from '../../../ports/video';
import { readWindows } from '../derived-source';
import type { Mp4Box } from '../mp4-boxes';
import type { Mp4Edit } from '../mp4-edits';
import { cammPlace, canBePlace } from './camm';
import { gpmfPlaces } from './gpmf';
import { samplesIn } from './samples';

/** Ten hours of GPMF: 18 positions a second. */
const MAX_POSITIONS = 2 ** 20;
/** Cameras write some kilobytes for each second. */
const MAX_SAMPLE_BYTES = 2 ** 20;
/** Bytes of one read: samples of 28 bytes lie next to one another. */
const WINDOW_BYTES = 64 * 1024;

interface Coding {
  /** Whether a sample of this length is read. */
  readonly reads: (byteLength: number) => boolean;
  /** Places spread evenly over the time of a sample; undefined for one that is not known. */
  readonly places: (sample: Uint8Array) => readonly (Place | undefined)[];
}

/** Kinds of tracks with positions, by the type of their samples. */
const CODINGS: Readonly<Record<string, Coding>> = {
  gpmd: { reads: () => true, places: gpmfPlaces },
  camm: { reads: canBePlace, places: (packet) => [cammPlace(packet)] },
};
export const hasPositions = (coding: string): boolean => Object.hasOwn(CODINGS, coding);

/** A track with positions. */
export interface PositionTrack {
  /** Type of its samples. */
  readonly coding: string;
  /** Units of a second. */
  readonly timescale: number;
  /** Box with the tables of samples. */
  readonly stbl: Mp4Box;
  readonly edits: readonly Mp4Edit[] | undefined;
}

/** When something of the track's media is shown; undefined: it is hidden. */
const shownAt = (edits: PositionTrack['edits'], mediaSeconds: number): number | undefined => {
  if (!edits) return mediaSeconds;
  const edit = edits.find(
    (one) => mediaSeconds >= one.mediaSeconds && mediaSeconds < one.mediaSeconds + one.durationSeconds,
  );
  return edit && mediaSeconds - edit.mediaSeconds + edit.startSeconds;
};

/** Bytes that may still be read: samples that overlap would be read without end. */
const createBudget = (sizeBytes: number) => {
  let left = sizeBytes;
  return (at: number, byteLength: number): void => {
    left -= byteLength;
    if (left < 0 || byteLength > MAX_SAMPLE_BYTES || at + byteLength > sizeBytes) throw corruptStructure();
  };
};

/**
 * Reads where the camera was. Parts that an edit list hides, and places that are not finite or out of range, are left
 * out.
 *
 * @param index of the movie that was checked
 * @throws UnreadableFile, RangeError where the track is damaged
 */
export const readPositions = async (
  source: ByteSource,
  index: Uint8Array,
  { coding, timescale, stbl, edits }: PositionTrack,
  signal: AbortSignal,
): Promise<readonly TimedPlace[]> => {
  const how = CODINGS[coding];
  if (!how || timescale === 0) throw corruptStructure();
  const windows = readWindows(source, WINDOW_BYTES);
  const take = createBudget(source.sizeBytes);
  const found: TimedPlace[] = [];
  const add = (place: Place | undefined, mediaUnits: number): void => {
    const seconds = shownAt(edits, mediaUnits / timescale);
    if (!place || !isPlace(place) || seconds === undefined || seconds < 0) return;
    if (found.length === MAX_POSITIONS) throw indexTooLarge();
    found.push({ ...place, altitude: place.altitude ?? 0, seconds });
  };
  for (const { at, byteLength, time, duration } of samplesIn(index, stbl)) {
    if (!how.reads(byteLength)) continue;
    signal.throwIfAborted();
    take(at, byteLength);
    const end = at + byteLength;
    const places = how.places(windows.peek(at, end) ?? (await windows.read(at, end)));
    for (const [i, place] of places.entries()) add(place, time + (duration * i) / places.length);
  }
  // Edits may show later media first.
  return found.sort((a, b) => a.seconds - b.seconds);
};
