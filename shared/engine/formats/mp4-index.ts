import { boxesIn, viewOf, type Mp4Box } from './mp4-boxes';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/unreadable-file';

/** One entry of a track's edit list: a part of its media to be shown. */
export interface Mp4Edit {
  /** Time at which it is shown, and for how long; Infinity means to the end. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Start of the part, on the media's own timeline. */
  readonly mediaSeconds: number;
}

export interface Mp4Track {
  readonly id: number;
  /** In the order of presentation; undefined if the whole media are shown. */
  readonly edits: readonly Mp4Edit[] | undefined;
}

const CONTAINERS = ['trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex', 'moof', 'traf', 'moov'];
/** Maximum depth of nested boxes; a sample table is at depth 6. */
const MAX_DEPTH = 10;
/** Bytes of a full box's version and flags. */
const FULL_BOX_BYTES = 4;
/** By box type: bytes of each table entry, and the offset of the number of entries. */
const TABLES: Readonly<Record<string, readonly [entryBytes: number, countAt: number]>> = {
  stts: [8, 4],
  ctts: [8, 4],
  stss: [4, 4],
  stsc: [12, 4],
  stco: [4, 4],
  co64: [8, 4],
};

/** Facts about one track, collected while its boxes are read. */
interface TrackFacts {
  id: number;
  handler: string;
  timescale: number;
  samples: number;
  hasOffsets: boolean;
  edits: (readonly [durationUnits: number, mediaUnits: number, rate: number])[] | undefined;
}

const newFacts = (): TrackFacts => ({
  id: -1,
  handler: '',
  timescale: 0,
  samples: 0,
  hasOffsets: false,
  edits: undefined,
});

const requireBytes = (box: Mp4Box, length: number): void => {
  if (box.end - box.start < length) throw corruptStructure();
};

const charactersAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

const readTable = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts): void => {
  const [entryBytes, countAt] = TABLES[box.type] as readonly [number, number];
  requireBytes(box, countAt + 4);
  const view = viewOf(bytes);
  const count = view.getUint32(box.start + countAt);
  requireBytes(box, countAt + 4 + count * entryBytes);
  if (box.type === 'ctts' && count > 0) facts.hasOffsets = true;
  if (box.type !== 'stts') return;
  for (let i = 0; i < count; i++) facts.samples += view.getUint32(box.start + countAt + 4 + i * entryBytes);
};

const readSizes = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts): void => {
  requireBytes(box, FULL_BOX_BYTES + 8);
  const view = viewOf(bytes);
  const [size, count] = [view.getUint32(box.start + 4), view.getUint32(box.start + 8)];
  if (size === 0) requireBytes(box, FULL_BOX_BYTES + 8 + count * 4);
  facts.samples = Math.max(facts.samples, count);
};

const readEdits = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts): void => {
  requireBytes(box, FULL_BOX_BYTES + 4);
  const view = viewOf(bytes);
  const isLong = view.getUint8(box.start) === 1;
  const count = view.getUint32(box.start + FULL_BOX_BYTES);
  const entryBytes = isLong ? 20 : 12;
  requireBytes(box, FULL_BOX_BYTES + 4 + count * entryBytes);
  facts.edits = Array.from({ length: count }, (_, i) => {
    const at = box.start + FULL_BOX_BYTES + 4 + i * entryBytes;
    return isLong
      ? [Number(view.getBigUint64(at)), Number(view.getBigInt64(at + 8)), view.getInt32(at + 16)]
      : [view.getUint32(at), view.getInt32(at + 4), view.getInt32(at + 8)];
  });
};

/** Refuses data references to other files, which are never opened. */
const refuseReferences = (bytes: Uint8Array, box: Mp4Box): void => {
  requireBytes(box, FULL_BOX_BYTES + 4);
  for (const entry of boxesIn(bytes, box.start + FULL_BOX_BYTES + 4, box.end)) {
    requireBytes(entry, FULL_BOX_BYTES);
    const isInThisFile = (viewOf(bytes).getUint32(entry.start) & 1) === 1;
    const hasLocation = entry.end - entry.start > FULL_BOX_BYTES;
    if (!isInThisFile && hasLocation) {
      throw new UnreadableFile('The video keeps its media in another file, which is never opened.');
    }
  }
};

/** Reads the sample count of a fragment's run, whose samples may take no bytes in the table. */
const readRun = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts): void => {
  requireBytes(box, FULL_BOX_BYTES + 4);
  facts.samples += viewOf(bytes).getUint32(box.start + FULL_BOX_BYTES);
};

type ReadBox = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts) => void;

const READERS: Readonly<Record<string, ReadBox>> = {
  tkhd: (bytes, box, facts) => {
    const at = bytes[box.start] === 1 ? 20 : 12;
    requireBytes(box, at + 4);
    facts.id = viewOf(bytes).getUint32(box.start + at);
  },
  mdhd: (bytes, box, facts) => {
    const at = bytes[box.start] === 1 ? 20 : 12;
    requireBytes(box, at + 4);
    facts.timescale = viewOf(bytes).getUint32(box.start + at);
  },
  stsz: readSizes,
  elst: readEdits,
  dref: refuseReferences,
  trun: readRun,
  ...Object.fromEntries(Object.keys(TABLES).map((type) => [type, readTable])),
};

const walk = (bytes: Uint8Array, box: Mp4Box, facts: TrackFacts, depth: number): void => {
  if (depth > MAX_DEPTH) throw corruptStructure();
  for (const inner of boxesIn(bytes, box.start, box.end)) {
    // A QuickTime track has two handlers: only the one in the media box gives the type of the media.
    if (inner.type === 'hdlr' && box.type === 'mdia') {
      requireBytes(inner, FULL_BOX_BYTES + 8);
      facts.handler = charactersAt(bytes, inner.start + FULL_BOX_BYTES + 4);
    }
    READERS[inner.type]?.(bytes, inner, facts);
    if (CONTAINERS.includes(inner.type)) walk(bytes, inner, facts, depth + 1);
  }
};

const checkClaims = ({ handler, samples, hasOffsets }: TrackFacts, maxSamples: number): void => {
  if (samples <= maxSamples) return;
  if (handler === 'vide') {
    throw new UnreadableFile(`The video has ${samples} pictures; the limit is ${maxSamples}.`);
  }
  // Uncompressed audio has a sample for each value, but its tables are a few runs, and demuxers read them as runs.
  if (hasOffsets) throw indexTooLarge();
};

const RATE_1 = 1 << 16;
const EMPTY = -1;

const placeEdits = (
  { edits, timescale }: TrackFacts,
  movieTimescale: number,
  isFragmented: boolean,
): readonly Mp4Edit[] | undefined => {
  if (!edits || edits.length === 0) return undefined;
  if (timescale === 0 || movieTimescale === 0) throw corruptStructure();
  let startSeconds = 0;
  const placed: Mp4Edit[] = [];
  for (const [units, mediaUnits, rate] of edits) {
    // An edit without a length in a fragmented file lasts to the end of the last fragment.
    const durationSeconds = units === 0 && isFragmented ? Infinity : units / movieTimescale;
    if (mediaUnits !== EMPTY) {
      if (rate !== RATE_1) {
        throw new UnreadableFile(
          'The video has an edit list that changes its speed, which is not supported.',
        );
      }
      placed.push({ startSeconds, durationSeconds, mediaSeconds: mediaUnits / timescale });
    }
    startSeconds += durationSeconds;
  }
  return placed;
};

/**
 * Reads a movie's index, checks that a demuxer can read it safely, and returns its edit lists.
 *
 * Demuxers trust the tables: a count of billions fills their memory, they apply only the first entry of an edit list,
 * and for media in another file they read wrong bytes of this one.
 *
 * @param moov the content of the `moov` box
 * @param maxSamples maximum number of samples for each track
 * @throws UnreadableFile
 */
export const readMp4Index = (moov: Uint8Array, maxSamples: number): readonly Mp4Track[] => {
  const movie = { type: 'moov', start: 0, end: moov.byteLength };
  const boxes = [...boxesIn(moov, movie.start, movie.end)];
  const header = newFacts();
  const movieHeader = boxes.find(({ type }) => type === 'mvhd');
  if (movieHeader) READERS['mdhd']?.(moov, movieHeader, header);
  const isFragmented = boxes.some(({ type }) => type === 'mvex');
  return boxes
    .filter(({ type }) => type === 'trak')
    .map((track) => {
      const facts = newFacts();
      walk(moov, track, facts, 1);
      checkClaims(facts, maxSamples);
      return { id: facts.id, edits: placeEdits(facts, header.timescale, isFragmented) };
    });
};

/** The number of samples that a movie fragment claims. @param moof the content of the `moof` box */
export const countFragmentSamples = (moof: Uint8Array): number => {
  const facts = newFacts();
  walk(moof, { type: 'moof', start: 0, end: moof.byteLength }, facts, 1);
  return facts.samples;
};
