import { viewOf } from './bytes';
import { checkLoose, isLoose, requireBytes, FULL_BOX_BYTES, childrenOf, type Mp4Box } from './mp4-boxes';
import { MP4_LIMITS } from './structure-limits';
import { corruptStructure, indexTooLarge } from '../../domain/failure';

/** Boxes with boxes in them that have no place in a fragment: the demuxer would read them wherever they are. */
const FOREIGN = new Set('moov moof mfra tfra trak mdia minf stbl stsd dinf edts mvex traf elst'.split(' '));

/** Flags of `tfhd`: fields in front of the default size, and that field. */
const DEFAULTS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10 } as const;
/** Flags of `trun`: fields in front of the samples, and fields of each sample. */
const RUN = { offset: 0x1, firstFlags: 0x4, size: 0x200, fields: [0x100, 0x200, 0x400, 0x800] } as const;

const bytesIf = (flags: number, flag: number, bytes = 4): number => ((flags & flag) === 0 ? 0 : bytes);

/** Sizes of the samples whose size is not in the tables, by track. */
export type SampleBytes = ReadonlyMap<number, number>;

/** The default size of the samples of a fragment of a track. */
const readDefaults = (bytes: Uint8Array, box: Mp4Box, sampleBytes: SampleBytes | undefined): number => {
  requireBytes(box, 2 * FULL_BOX_BYTES);
  const view = viewOf(bytes);
  const flags = view.getUint32(box.start);
  const inTrack = sampleBytes?.get(view.getUint32(box.start + FULL_BOX_BYTES)) ?? 0;
  if ((flags & DEFAULTS.size) === 0) return inTrack;
  const at =
    2 * FULL_BOX_BYTES +
    bytesIf(flags, DEFAULTS.base, 8) +
    bytesIf(flags, DEFAULTS.description) +
    bytesIf(flags, DEFAULTS.duration);
  requireBytes(box, at + 4);
  return view.getUint32(box.start + at);
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
 * @param sampleBytes of the index
 * @throws UnreadableFile where the fragment claims more than the file contains
 */
export const countFragmentSamples = (
  moof: Uint8Array,
  sampleBytes: SampleBytes | undefined,
  fileBytes: number,
): number => {
  let left: number = MP4_LIMITS.fragmentBoxes;
  let samples = 0;
  const count = (): void => {
    if (--left < 0) throw indexTooLarge();
  };
  const checkOther = (box: Mp4Box): void => {
    if (FOREIGN.has(box.type)) throw corruptStructure();
    if (isLoose(box.type)) checkLoose(moof, box, count, 1);
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
      if (box.type === 'tfhd') defaultBytes = readDefaults(moof, box, sampleBytes);
      if (box.type === 'trun') samples += readRun(moof, box, defaultBytes, fileBytes);
    }
  }
  return samples;
};
