import { FORMATS } from '../../catalogue/formats';
import { fourCharacters, viewOf } from './bytes';
import {
  checkDescriptions,
  checkLoose,
  isLoose,
  requireBytes,
  FULL_BOX_BYTES,
  childrenOf,
  type Mp4Box,
} from './mp4-boxes';
import {
  type FragmentFacts,
  type SampleDefaults,
  type TableFacts,
  chunkSteps,
  isTable,
  newTables,
  readTable,
  requireLastDescription,
  requireFewSteps,
} from './mp4-samples';
import { chapterTracks, countTracks, noteIndexBox, type MetadataNoter } from './mp4-metadata';
import { placeEdits, readEdits, type Edit, type Mp4Edit } from './mp4-edits';
import { readSampleEntry, type Aperture } from './mp4-sample-entry';
import {
  bothProjections,
  isHandlerOfGoPro,
  projectionOfEntry,
  projectionOfUuid,
  requireOneLens,
} from './panorama-boxes';
import { MP4_LIMITS } from './structure-limits';
import type { TrackCounts } from '../../domain/image-header';
import type { Projection } from '../../domain/projection';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/failure';

export interface Mp4Track {
  readonly id: number;
  /** In the order of presentation; undefined if the whole media are shown. */
  readonly edits: readonly Mp4Edit[] | undefined;
  /** Of its images, if it states one. */
  readonly aperture?: Aperture;
}

/** The index of a movie. */
export interface Mp4Index {
  readonly tracks: readonly Mp4Track[];
  readonly fragments: FragmentFacts;
  readonly counts: TrackCounts;
  /** Of its first video track that says one. */
  readonly projection: Projection | undefined;
}

/** The only box that may contain each of these. */
const PARENTS: Readonly<Record<string, string>> = {
  ...{ trak: 'moov', mvex: 'moov', trex: 'mvex', mdia: 'trak', minf: 'mdia', stbl: 'minf', stsd: 'stbl' },
  ...{ edts: 'trak', elst: 'edts', dinf: 'minf' },
};
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex'];
/** Boxes that the demuxer reads wherever they are, but that have no place in an index. */
const FOREIGN = ['moov', 'moof', 'traf', 'tfhd', 'trun', 'mfra', 'tfra'];
const ENCRYPTED = ['encv', 'enca'];
/** Facts about one track, collected while its boxes are read. */
interface TrackFacts extends TableFacts {
  id: number;
  handler: string;
  timescale: number;
  /** Type of the samples. */
  coding: string;
  /** How many there are of its samples. */
  descriptions: number;
  edits: readonly Edit[] | undefined;
  /** Ids of the tracks that contain its chapters. */
  chapters: readonly number[];
  isOfGoPro: boolean;
  /** What its description and a box next to it say. */
  projection: Projection | undefined;
  aperture: Aperture | undefined;
}

const newFacts = (): TrackFacts => ({
  ...newTables(),
  ...{ id: -1, handler: '', timescale: 0, coding: '', descriptions: 0 },
  ...{ edits: undefined, chapters: [], isOfGoPro: false, projection: undefined, aperture: undefined },
});

/** One index while its boxes are read. */
interface Reading {
  readonly bytes: Uint8Array;
  /** Counts a box. */
  readonly count: () => void;
  /** Of the samples in fragments, by track. */
  readonly defaults: Map<number, SampleDefaults>;
  readonly notes: MetadataNoter;
}

/** Refuses data references to other files, which are never opened. */
const refuseReferences = (reading: Reading, box: Mp4Box): void => {
  requireBytes(box, FULL_BOX_BYTES + 4);
  for (const entry of childrenOf(reading, { ...box, start: box.start + FULL_BOX_BYTES + 4 })) {
    requireBytes(entry, FULL_BOX_BYTES);
    const isInThisFile = (viewOf(reading.bytes).getUint32(entry.start) & 1) === 1;
    const hasLocation = entry.end - entry.start > FULL_BOX_BYTES;
    if (!isInThisFile && hasLocation) {
      throw new UnreadableFile('The video keeps its media in another file, which is never opened.');
    }
  }
};

/** A number behind the dates of a box, which take 4 or 8 bytes each. */
const behindDates = (bytes: Uint8Array, box: Mp4Box): number => {
  const at = bytes[box.start] === 1 ? 20 : 12;
  requireBytes(box, at + 4);
  return viewOf(bytes).getUint32(box.start + at);
};

type ReadBox = (reading: Reading, box: Mp4Box, facts: TrackFacts) => void;

const READERS: Readonly<Record<string, ReadBox>> = {
  tkhd: ({ bytes }, box, facts) => {
    facts.id = behindDates(bytes, box);
  },
  mdhd: ({ bytes }, box, facts) => {
    facts.timescale = behindDates(bytes, box);
  },
  stsd: ({ bytes, count, notes }, box, facts) => {
    facts.projection = bothProjections(facts.projection, projectionOfEntry(bytes, box));
    facts.coding = checkDescriptions(bytes, box, facts.handler, count);
    facts.descriptions = viewOf(bytes).getUint32(box.start + FULL_BOX_BYTES);
    if (facts.handler === 'vide') {
      const { aperture, hasSecondView } = readSampleEntry(bytes, box);
      facts.aperture = aperture;
      if (hasSecondView) notes.note('other-pictures');
    }
    if (ENCRYPTED.includes(facts.coding)) {
      throw new UnreadableFile('The video is encrypted, which is not supported.');
    }
  },
  uuid: ({ bytes }, box, facts) => {
    facts.projection = bothProjections(facts.projection, projectionOfUuid(bytes, box));
  },
  elst: ({ bytes }, box, facts) => {
    facts.edits = readEdits(bytes, box);
  },
  dref: refuseReferences,
  trex: ({ bytes, defaults }, box) => {
    requireBytes(box, FULL_BOX_BYTES + 20);
    const view = viewOf(bytes);
    const track = view.getUint32(box.start + FULL_BOX_BYTES);
    // The demuxer takes the first one of a track.
    if (defaults.has(track)) return;
    defaults.set(track, {
      bytes: view.getUint32(box.start + 16),
      description: view.getUint32(box.start + 8),
    });
    if (defaults.size > MP4_LIMITS.tracks) throw indexTooLarge();
  },
};

/** A QuickTime track has two handlers: the one in the media box, or one for images or sound, gives its type. */
const readHandler = (bytes: Uint8Array, box: Mp4Box, parent: string, facts: TrackFacts): void => {
  requireBytes(box, FULL_BOX_BYTES + 8);
  const handler = fourCharacters(bytes, box.start + FULL_BOX_BYTES + 4);
  if (parent === 'mdia' || handler === 'vide' || handler === 'soun') facts.handler = handler;
  facts.isOfGoPro ||= isHandlerOfGoPro(bytes, box);
};

/** @param depth of the box; 1 in the movie */
const readBox = (
  reading: Reading,
  box: Mp4Box,
  facts: TrackFacts,
  { parent, depth }: { readonly parent: string; readonly depth: number },
): void => {
  const { bytes, notes } = reading;
  const { type } = box;
  if (FOREIGN.includes(type) || (PARENTS[type] ?? parent) !== parent) throw corruptStructure();
  if (type === 'hdlr') readHandler(bytes, box, parent, facts);
  READERS[type]?.(reading, box, facts);
  notes.attempt(bytes, (noted) => {
    noteIndexBox(noted, box, parent);
    if (type === 'tref') facts.chapters = chapterTracks(noted, box);
  });
  if (isTable(type)) {
    if (parent !== 'stbl') throw corruptStructure();
    readTable(bytes, box, facts);
  }
  if (isLoose(type)) checkLoose(reading, box, depth);
  else if (CONTAINERS.includes(type)) walk(reading, box, facts, depth + 1);
};

const walk = (reading: Reading, box: Mp4Box, facts: TrackFacts, depth: number): void => {
  if (depth > MP4_LIMITS.depth) throw corruptStructure();
  for (const inner of childrenOf(reading, box)) readBox(reading, inner, facts, { parent: box.type, depth });
};

const checkClaims = (
  { handler, samples, sizes, shifted }: TrackFacts,
  maxSamples: number,
  fileBytes: number,
): void => {
  const isVideo = handler === 'vide';
  if (isVideo && samples > maxSamples) {
    throw new UnreadableFile(`The video has ${samples} frames; the limit is ${maxSamples}.`);
  }
  // Some programs write one size too few.
  if (isVideo && sizes > 0 && samples > 2 * sizes) throw corruptStructure();
  // Uncompressed audio has a sample for each value, but its tables are a few runs, and demuxers read them as runs.
  const listed = Math.max(shifted, isVideo || shifted > 0 ? samples : 0);
  if (listed > maxSamples || listed * MP4_LIMITS.sampleBytes > fileBytes) throw indexTooLarge();
};

/** Uncompressed samples, of which the demuxer reads a chunk at a time where none is shifted. */
const isUncompressed = ({ coding, shifted }: TrackFacts): boolean =>
  shifted === 0 &&
  ['twos', 'sowt', 'raw ', 'in24', 'in32', 'fl32', 'fl64', 'ipcm', 'fpcm', 'lpcm', 'ulaw', 'alaw'].includes(
    coding.toLowerCase(),
  );

const severalDescriptions = (tracks: readonly TrackFacts[]): ReadonlyMap<number, number> => {
  const several = tracks.filter(({ handler, descriptions }) => handler === 'vide' && descriptions > 1);
  return new Map(several.map(({ id, descriptions }) => [id, descriptions]));
};

/**
 * Reads a movie's index, checks that a demuxer can read it safely, and returns its edit lists.
 *
 * Demuxers trust the tables: a count of billions fills their memory, they apply only the first entry of an edit list,
 * and for media in another file they read wrong bytes of this one.
 *
 * @param moov the content of the `moov` box
 * @param maxSamples maximum number of samples for each track
 * @param notes takes what it contains next to the structure
 * @param fileBytes size of the file: it cannot contain more samples than bytes
 * @throws UnreadableFile
 */
export const readMp4Index = (
  moov: Uint8Array,
  maxSamples: number,
  fileBytes: number,
  notes: MetadataNoter,
): Mp4Index => {
  let left: number = FORMATS.mp4.maxStructures;
  const reading: Reading = {
    bytes: moov,
    defaults: new Map(),
    notes,
    count: () => {
      if (--left < 0) throw indexTooLarge();
    },
  };
  const movie = newFacts();
  const found: TrackFacts[] = [];
  let isFragmented = false;
  let steps = 0;
  for (const box of childrenOf(reading, { start: 0, end: moov.byteLength })) {
    const facts = box.type === 'trak' ? newFacts() : movie;
    readBox(reading, box, facts, { parent: 'moov', depth: 1 });
    isFragmented ||= box.type === 'mvex';
    if (box.type === 'mvhd') movie.timescale = behindDates(moov, box);
    if (box.type !== 'trak') continue;
    checkClaims(facts, maxSamples, fileBytes);
    if (facts.handler === 'vide') requireLastDescription(moov, facts, facts.descriptions);
    const chunks = chunkSteps(moov, facts);
    if (!isUncompressed(facts)) steps += chunks;
    requireFewSteps(steps, fileBytes);
    if (found.push(facts) > MP4_LIMITS.tracks) throw indexTooLarge();
  }
  requireOneLens(found);
  return {
    tracks: found.map((facts) => ({
      id: facts.id,
      edits: placeEdits(facts, movie.timescale, isFragmented),
      ...(facts.aperture && { aperture: facts.aperture }),
    })),
    fragments: { defaults: reading.defaults, descriptions: severalDescriptions(found) },
    counts: countTracks(found, notes.note),
    projection: found.find(({ handler, projection }) => handler === 'vide' && projection)?.projection,
  };
};
