import { viewOf } from './bytes';
import { checkLoose, isLoose, requireBytes, FULL_BOX_BYTES, childrenOf, type Mp4Box } from './mp4-boxes';
import { MP4_LIMITS } from './structure-limits';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/failure';

/** What the sample tables of a track claim. */
export interface TableFacts {
  /** Samples, by the table that claims most of them. */
  samples: number;
  /** Entries of the table of sizes; 0 where all samples have the same size. */
  sizes: number;
  /** Samples with a shift between decoding and presentation. */
  shifted: number;
  chunks: number;
  /** Chunks with the same number of samples: the box `stsc`. */
  runs: Mp4Box | undefined;
  /** Types of the tables that were read. */
  readonly tables: Set<string>;
}

export const newTables = (): TableFacts => ({
  ...{ samples: 0, sizes: 0, shifted: 0, chunks: 0, runs: undefined },
  tables: new Set(),
});

/** Bytes of each entry by the type of the table. The number of entries stands behind version and flags. */
const ENTRY_BYTES: Readonly<Record<string, number>> = {
  ...{ stts: 8, ctts: 8, stss: 4, stsc: 12, stco: 4, co64: 8 },
};
const COMPACT_SIZE_BITS = [4, 8, 16];

export const isTable = (type: string): boolean => type in ENTRY_BYTES || type === 'stsz' || type === 'stz2';

/** Sum of the numbers of samples in a table of runs. */
const sumOfRuns = (view: DataView, at: number, count: number): number => {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += view.getUint32(at + i * 8);
  return sum;
};

const readSizes = (bytes: Uint8Array, box: Mp4Box, facts: TableFacts): void => {
  requireBytes(box, FULL_BOX_BYTES + 8);
  const view = viewOf(bytes);
  const [size, count] = [view.getUint32(box.start + 4), view.getUint32(box.start + 8)];
  const bits = box.type === 'stz2' ? size & 0xff : size === 0 ? 32 : 0;
  if (box.type === 'stz2' && !COMPACT_SIZE_BITS.includes(bits)) throw corruptStructure();
  requireBytes(box, FULL_BOX_BYTES + 8 + Math.ceil((count * bits) / 8));
  facts.samples = Math.max(facts.samples, count);
  facts.sizes = bits === 0 ? 0 : count;
};

/** Reads a table of a track. @throws UnreadableFile where it is incomplete, or the second of its type */
export const readTable = (bytes: Uint8Array, box: Mp4Box, facts: TableFacts): void => {
  const { type, start } = box;
  if (facts.tables.has(type)) throw corruptStructure();
  facts.tables.add(type);
  const entryBytes = ENTRY_BYTES[type];
  if (entryBytes === undefined) return readSizes(bytes, box, facts);
  requireBytes(box, FULL_BOX_BYTES + 4);
  const view = viewOf(bytes);
  const count = view.getUint32(start + FULL_BOX_BYTES);
  const at = start + FULL_BOX_BYTES + 4;
  requireBytes(box, FULL_BOX_BYTES + 4 + count * entryBytes);
  if (type === 'stts') facts.samples = Math.max(facts.samples, sumOfRuns(view, at, count));
  if (type === 'ctts') facts.shifted = sumOfRuns(view, at, count);
  if (type === 'stco' || type === 'co64') facts.chunks += count;
  if (type === 'stsc') facts.runs = box;
};

/**
 * Additions that the demuxer needs for the positions of all samples: it counts each from the start of its chunk to its
 * end.
 *
 * @throws UnreadableFile where the chunks are not in order, or there are not so many
 */
export const chunkSteps = (bytes: Uint8Array, { runs, chunks, sizes }: TableFacts): number => {
  if (!runs) return 0;
  const view = viewOf(bytes);
  const count = view.getUint32(runs.start + FULL_BOX_BYTES);
  const entryAt = (i: number): number => runs.start + FULL_BOX_BYTES + 4 + i * 12;
  let [steps, samples] = [0, sizes];
  for (let i = 0; i < count; i++) {
    const [first, inChunk] = [view.getUint32(entryAt(i)), view.getUint32(entryAt(i) + 4)];
    const next = i + 1 < count ? view.getUint32(entryAt(i + 1)) : chunks + 1;
    const isInOrder = i + 1 === count || next > first;
    if (first === 0 || first > Math.max(1, chunks) || !isInOrder) throw corruptStructure();
    const counted = Math.min(samples, Math.max(0, next - first) * inChunk);
    samples -= counted;
    steps += counted * inChunk;
  }
  return steps;
};

/**
 * The demuxer reads all samples with the last description of their track: those of another one would be shown with the
 * wrong colours, or as nothing like them.
 */
const otherDescription = (): UnreadableFile =>
  new UnreadableFile(
    'The video changes the description of its coding within the file, which is not supported; convert all of it to the same first.',
  );

/** @throws UnreadableFile where samples have another description than the last, with which the demuxer reads all */
export const requireLastDescription = (
  bytes: Uint8Array,
  { runs }: TableFacts,
  descriptions: number,
): void => {
  if (!runs || descriptions < 2) return;
  const view = viewOf(bytes);
  const first = runs.start + FULL_BOX_BYTES + 4;
  for (let left = view.getUint32(runs.start + FULL_BOX_BYTES), at = first; left > 0; left--, at += 12) {
    if (view.getUint32(at + 8) !== descriptions) throw otherDescription();
  }
};

/** @throws UnreadableFile where the positions take longer than the bytes of the file justify */
export const requireFewSteps = (steps: number, fileBytes: number): void => {
  if (steps > MP4_LIMITS.chunkSteps + MP4_LIMITS.chunkStepsPerByte * fileBytes) throw indexTooLarge();
};

/** Boxes with boxes in them that have no place in a fragment: the demuxer would read them wherever they are. */
const FOREIGN = new Set('moov moof mfra tfra trak mdia minf stbl stsd dinf edts mvex traf elst'.split(' '));

/** Flags of `tfhd`: fields in front of the default size, and that field. */
const DEFAULTS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10 } as const;
/** Flags of `trun`: fields in front of the samples, and fields of each sample. */
const RUN = { offset: 0x1, firstFlags: 0x4, size: 0x200, fields: [0x100, 0x200, 0x400, 0x800] } as const;

const bytesIf = (flags: number, flag: number, bytes = 4): number => ((flags & flag) === 0 ? 0 : bytes);

/** What holds for the samples of fragments if these state nothing else. */
export interface SampleDefaults {
  readonly bytes: number;
  /** Number of their description, from 1 on. */
  readonly description: number;
}

/** What the index says of the samples in fragments, by track. */
export interface FragmentFacts {
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
  /** How many descriptions a video track has, if there are several. */
  readonly descriptions: ReadonlyMap<number, number>;
}

/** The default size of the samples of a fragment of a track. @throws UnreadableFile where their description is not the last */
const readDefaults = (bytes: Uint8Array, box: Mp4Box, facts: FragmentFacts | undefined): number => {
  requireBytes(box, 2 * FULL_BOX_BYTES);
  const view = viewOf(bytes);
  const flags = view.getUint32(box.start);
  const track = view.getUint32(box.start + FULL_BOX_BYTES);
  const inTrack = facts?.defaults.get(track);
  const descriptionAt = 2 * FULL_BOX_BYTES + bytesIf(flags, DEFAULTS.base, 8);
  const durationAt = descriptionAt + bytesIf(flags, DEFAULTS.description);
  const sizeAt = durationAt + bytesIf(flags, DEFAULTS.duration);
  requireBytes(box, sizeAt + bytesIf(flags, DEFAULTS.size));
  const stated = (flag: number, at: number): number | undefined =>
    (flags & flag) === 0 ? undefined : view.getUint32(box.start + at);
  const descriptions = facts?.descriptions.get(track);
  const description = stated(DEFAULTS.description, descriptionAt) ?? inTrack?.description;
  if (descriptions !== undefined && description !== descriptions) throw otherDescription();
  return stated(DEFAULTS.size, sizeAt) ?? inTrack?.bytes ?? 0;
};

/** The number of samples of a run. Each takes bytes: in the table, or of the file. */
const readRun = (bytes: Uint8Array, box: Mp4Box, defaultBytes: number, fileBytes: number): number => {
  requireBytes(box, 2 * FULL_BOX_BYTES);
  const view = viewOf(bytes);
  const flags = view.getUint32(box.start);
  const count = view.getUint32(box.start + FULL_BOX_BYTES);
  const sampleFields = RUN.fields.reduce((sum, flag) => sum + bytesIf(flags, flag), 0);
  const head = 2 * FULL_BOX_BYTES + bytesIf(flags, RUN.offset) + bytesIf(flags, RUN.firstFlags);
  requireBytes(box, head + count * sampleFields);
  const isInTable = (flags & RUN.size) !== 0;
  if (!isInTable && count * Math.max(defaultBytes, MP4_LIMITS.sampleBytes) > fileBytes) throw indexTooLarge();
  return count;
};

/**
 * The number of samples that a movie fragment claims.
 *
 * @param moof the content of the `moof` box
 * @param facts of the index
 * @throws UnreadableFile where the fragment claims more than the file contains, or another description than the last
 */
export const countFragmentSamples = (
  moof: Uint8Array,
  facts: FragmentFacts | undefined,
  fileBytes: number,
): number => {
  let left: number = MP4_LIMITS.fragmentBoxes;
  let samples = 0;
  const count = (): void => {
    if (--left < 0) throw indexTooLarge();
  };
  const checkOther = (box: Mp4Box): void => {
    if (FOREIGN.has(box.type)) throw corruptStructure();
    if (isLoose(box.type)) checkLoose({ bytes: moof, count }, box, 1);
  };
  const file = { bytes: moof, count };
  for (const part of childrenOf(file, { start: 0, end: moof.byteLength })) {
    if (part.type !== 'traf') {
      checkOther(part);
      continue;
    }
    let defaultBytes = 0;
    for (const box of childrenOf(file, part)) {
      checkOther(box);
      if (box.type === 'tfhd') defaultBytes = readDefaults(moof, box, facts);
      if (box.type === 'trun') samples += readRun(moof, box, defaultBytes, fileBytes);
    }
  }
  return samples;
};
