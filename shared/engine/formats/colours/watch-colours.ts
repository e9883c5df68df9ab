import { highBitsFirst, readWithinBits, type BitReader } from '../audio/bit-reader';
import { viewOf } from '../bytes';
import { readAv1Colours, sequenceHeaders } from './av1-colours';
import { areSameColours, type CodedColours } from './coded-colours';
import { readH264Colours } from './h264-colours';
import { readHevcColours } from './hevc-colours';
import { keyFrames, readVp9Colours } from './vp9-colours';

/** A unit (NAL unit) of a coded video, which begins with its header. */
type Unit = Uint8Array;

interface Coding {
  /** What describes the frames behind it: parameter sets, sequence headers, or the heads of key frames. */
  readonly setsIn: (packet: Uint8Array, configuration: Uint8Array | undefined) => Iterable<Uint8Array>;
  readonly setsOfConfiguration: (configuration: Uint8Array) => Iterable<Uint8Array>;
  /** @throws RangeError where it is unreadable */
  readonly read: (set: Uint8Array) => CodedColours | undefined;
}

/** A coding in units. */
interface UnitCoding {
  /** Offset of the byte of a configuration whose lowest two bits are the bytes of a length, less one. */
  readonly lengthAt: number;
  readonly unitsOfConfiguration: (configuration: Uint8Array) => Iterable<Unit>;
  /** Whether a unit describes the frames behind it (sequence parameter set). */
  readonly isSet: (unit: Unit) => boolean;
  readonly read: (bits: BitReader) => CodedColours;
}

const LENGTH_BYTES = 2;

/** @param count of the units; fewer where the bytes end @returns the offset behind them */
function* countedUnits(bytes: Uint8Array, start: number, count: number): Generator<Unit, number> {
  const view = viewOf(bytes);
  let at = start;
  for (let left = count; left > 0 && at + LENGTH_BYTES <= bytes.length; left--) {
    const content = at + LENGTH_BYTES;
    at = content + view.getUint16(at);
    yield bytes.subarray(content, at);
  }
  return at;
}

const ARRAY_BYTES = 3;

/** @see ISO/IEC 14496-15, 8.3.2.1 */
function* unitsOfHevc(configuration: Uint8Array): Generator<Unit> {
  const view = viewOf(configuration);
  for (let at = 23; at + ARRAY_BYTES <= configuration.length;) {
    at = yield* countedUnits(configuration, at + ARRAY_BYTES, view.getUint16(at + 1));
  }
}

/** Units between start codes: two zero bytes or more, and a one. */
function* unitsBetweenCodes(packet: Uint8Array): Generator<Unit> {
  let start: number | undefined;
  for (let one = packet.indexOf(1, 2); one >= 0; one = packet.indexOf(1, one + 1)) {
    if (packet[one - 1] !== 0 || packet[one - 2] !== 0) continue;
    if (start !== undefined) yield packet.subarray(start, one - 2);
    start = one + 1;
  }
  if (start !== undefined) yield packet.subarray(start);
}

const startsWithCode = ([a, b, c, d]: Uint8Array): boolean => a === 0 && b === 0 && c === 0 && d === 1;

/** @param lengthBytes undefined: the units stand between start codes */
function* unitsOf(packet: Uint8Array, lengthBytes: number | undefined): Generator<Unit> {
  // Decoders find start codes also where the configuration announces lengths.
  if (lengthBytes === undefined || startsWithCode(packet)) return yield* unitsBetweenCodes(packet);
  for (let at = 0; at + lengthBytes <= packet.length;) {
    let length = 0;
    for (const end = at + lengthBytes; at < end; at++) length = length * 256 + (packet[at] as number);
    yield packet.subarray(at, at + length);
    at += length;
  }
}

/** Without the bytes that keep start codes from standing in a unit. */
const unescaped = (unit: Unit): Uint8Array =>
  unit.filter((byte, at) => byte !== 3 || at < 2 || unit[at - 1] !== 0 || unit[at - 2] !== 0);

function* setsAmong(units: Iterable<Unit>, isSet: UnitCoding['isSet']): Generator<Unit> {
  for (const unit of units) if (isSet(unit)) yield unit;
}

const inUnits = ({ lengthAt, unitsOfConfiguration, isSet, read }: UnitCoding): Coding => ({
  setsIn: (packet, configuration) =>
    setsAmong(unitsOf(packet, configuration && ((configuration[lengthAt] ?? 0) & 3) + 1), isSet),
  setsOfConfiguration: (configuration) => setsAmong(unitsOfConfiguration(configuration), isSet),
  read: (set) => read(highBitsFirst(unescaped(set))),
});

const CODINGS: Readonly<Record<string, Coding>> = {
  avc: inUnits({
    lengthAt: 4,
    unitsOfConfiguration: (configuration) => countedUnits(configuration, 6, (configuration[5] ?? 0) & 31),
    isSet: ([first = 0]) => (first & 31) === 7,
    read: readH264Colours,
  }),
  hevc: inUnits({
    lengthAt: 21,
    unitsOfConfiguration: unitsOfHevc,
    // The sets of other layers, such as the second view of spatial video, have other fields.
    isSet: ([first = 0, second = 0]) => first === 33 << 1 && second >> 3 === 0,
    read: readHevcColours,
  }),
  av1: {
    setsIn: sequenceHeaders,
    setsOfConfiguration: () => [],
    read: (header) => readAv1Colours(highBitsFirst(header)),
  },
  vp9: {
    setsIn: keyFrames,
    setsOfConfiguration: () => [],
    read: (header) => readVp9Colours(highBitsFirst(header)),
  },
};

const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/**
 * Tells whether all coded frames state the colours of the first ones.
 *
 * A set with other bytes counts as another one if it, or the first, is unreadable: it might state anything.
 *
 * @param codec as the demuxer names it
 * @param configuration `avcC` or `hvcC`; undefined: the packets contain all sets, those of H.264 and HEVC between start
 *   codes
 * @returns takes the packets of key frames in order, and says whether all so far keep these colours; undefined: the
 *   frames of this codec state none in this way
 */
export const watchColours = (
  codec: string | null,
  configuration: Uint8Array | undefined,
): ((packet: Uint8Array) => boolean) | undefined => {
  const coding = CODINGS[codec ?? ''];
  if (!coding) return undefined;
  const coloursOf = (set: Uint8Array): CodedColours | undefined => readWithinBits(() => coding.read(set));
  let first: Uint8Array | undefined;
  const isKept = (set: Uint8Array): boolean => {
    first ??= set.slice();
    if (isEqual(set, first)) return true;
    const [before, now] = [coloursOf(first), coloursOf(set)];
    return before !== undefined && now !== undefined && areSameColours(before, now);
  };
  const areKept = (sets: Iterable<Uint8Array>): boolean => {
    for (const set of sets) if (!isKept(set)) return false;
    return true;
  };
  let kept = !configuration || areKept(coding.setsOfConfiguration(configuration));
  return (packet) => (kept &&= areKept(coding.setsIn(packet, configuration)));
};
