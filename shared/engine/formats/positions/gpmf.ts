import type { Place } from '../../../domain/kept-in-video';
import { corruptStructure } from '../../../domain/failure';
import { fourCharacters, viewOf } from '../bytes';

/** Key, type, bytes of an element, and number of elements. */
const HEADER_BYTES = 8;
/** Type of an entry with entries in it. */
const NESTED = '\0';
/** A device in the payload, a stream in the device, and one level in reserve. */
const MAX_DEPTH = 3;

/** One entry: a key, and elements of `elementBytes` each. */
interface Entry {
  readonly key: string;
  readonly type: string;
  readonly elementBytes: number;
  readonly count: number;
  readonly start: number;
  readonly end: number;
}

function* entriesIn(bytes: Uint8Array, start: number, end: number): Generator<Entry> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const key = fourCharacters(bytes, at);
    // Zeros fill the end of a payload.
    if (key === '\0\0\0\0') return;
    const [elementBytes, count] = [view.getUint8(at + 5), view.getUint16(at + 6)];
    const [from, length] = [at + HEADER_BYTES, elementBytes * count];
    if (length > end - from) throw corruptStructure();
    const type = String.fromCharCode(view.getUint8(at + 4));
    yield { key, type, elementBytes, count, start: from, end: from + length };
    at = from + length + (-length & 3);
  }
}

/** Numbers by their type: the ones that cameras use for positions, scales and fixes. */
const NUMBERS: Readonly<
  Record<string, readonly [bytes: number, read: (view: DataView, at: number) => number]>
> = {
  B: [1, (view, at) => view.getUint8(at)],
  s: [2, (view, at) => view.getInt16(at)],
  S: [2, (view, at) => view.getUint16(at)],
  l: [4, (view, at) => view.getInt32(at)],
  L: [4, (view, at) => view.getUint32(at)],
};

/** The numbers of an entry, one after another. @param types of each element's numbers, repeated */
const numbersOf = (bytes: Uint8Array, { start, end }: Entry, types: string): number[] => {
  const view = viewOf(bytes);
  const numbers: number[] = [];
  for (let at = start, i = 0; at < end; i++) {
    const known = NUMBERS[types[i % types.length] ?? ''];
    if (!known || end - at < known[0]) throw corruptStructure();
    numbers.push(known[1](view, at));
    at += known[0];
  }
  return numbers;
};

/** Numbers of an element, and which of them says whether the position is known. */
const KINDS = { GPS5: { values: 5, fix: undefined }, GPS9: { values: 9, fix: 8 } } as const;
type Kind = keyof typeof KINDS;
/** Below it, the receiver does not know where it is. */
const FIX_2D = 2;
/** GPS9 has numbers of several types, which its stream names. */
const COMPLEX = '?';

/** What a stream says before its positions. */
interface Stream {
  scales: readonly number[];
  types: string;
  fix: number;
}

/** @returns undefined for an element without a known position */
const placesOf = (bytes: Uint8Array, entry: Entry, stream: Stream): (Place | undefined)[] => {
  const { values, fix } = KINDS[entry.key as Kind];
  const types = entry.type === COMPLEX ? stream.types : entry.type;
  const numbers = numbersOf(bytes, entry, types);
  if (numbers.length !== entry.count * values) throw corruptStructure();
  const { scales } = stream;
  if (scales.length !== 1 && scales.length !== values) throw corruptStructure();
  return Array.from({ length: entry.count }, (_, i) => {
    const value = (n: number): number => numbers[i * values + n]! / scales[scales.length === 1 ? 0 : n]!;
    const known = fix === undefined ? stream.fix : value(fix);
    if (known < FIX_2D) return undefined;
    return { latitude: value(0), longitude: value(1), altitude: value(2) };
  });
};

type Found = Partial<Record<Kind, (Place | undefined)[]>>;

const readStream = (bytes: Uint8Array, { start, end }: Entry, found: Found): void => {
  const stream: Stream = { scales: [1], types: '', fix: FIX_2D };
  for (const entry of entriesIn(bytes, start, end)) {
    const { key, type } = entry;
    if (key === 'SCAL') stream.scales = numbersOf(bytes, entry, type);
    else if (key === 'GPSF') stream.fix = numbersOf(bytes, entry, type)[0] ?? 0;
    else if (key === 'TYPE') stream.types = String.fromCharCode(...bytes.subarray(entry.start, entry.end));
    else if (key in KINDS) found[key as Kind] ??= placesOf(bytes, entry, stream);
  }
};

type Range = Pick<Entry, 'start' | 'end'>;

const walk = (bytes: Uint8Array, { start, end }: Range, found: Found, depth = 1): void => {
  if (depth > MAX_DEPTH) throw corruptStructure();
  for (const entry of entriesIn(bytes, start, end)) {
    if (entry.type !== NESTED) continue;
    if (entry.key === 'STRM') readStream(bytes, entry, found);
    else walk(bytes, entry, found, depth + 1);
  }
};

/**
 * Reads the positions of a payload in GoPro's metadata format.
 *
 * Names and serial numbers of the device, motion, faces and settings are passed over.
 *
 * @param payload one sample of the track
 * @returns one entry for each measurement, evenly spread over the time of the sample; undefined where the receiver does
 *   not know its position
 * @throws UnreadableFile where lengths contradict each other
 * @see https://github.com/gopro/gpmf-parser
 */
export const gpmfPlaces = (payload: Uint8Array): readonly (Place | undefined)[] => {
  const found: Found = {};
  walk(payload, { start: 0, end: payload.byteLength }, found);
  // Both describe the same measurements; the newer one has a fix for each.
  return found.GPS9 ?? found.GPS5 ?? [];
};
