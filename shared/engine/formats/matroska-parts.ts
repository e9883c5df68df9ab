import { FORMATS } from '../../catalogue/formats';
import { corruptStructure, indexTooLarge } from '../../domain/failure';
import { isPart, type ElementReader } from './matroska-elements';
import type { MatroskaNotes } from './matroska-metadata';
import { MATROSKA_LIMITS } from './video-structure-limits';

const TRACK_ENTRY = 0xae;
const CODING_STEP = 0x6240;
const CODING_SETTINGS = 0x4255;
/** Elements with elements in them, as the demuxer reads them: of tracks, tags and attachments. */
const MASTERS = new Set([
  ...[TRACK_ENTRY, 0xe0, 0x55b0, 0x7670, 0xe1, 0x6d80, CODING_STEP, 0x5034],
  ...[0x7373, 0x63c0, 0x67c8, 0x61a7],
]);
/** Elements of seek heads, cues and clusters: the demuxer reads them, and follows their positions, wherever they are. */
const FOREIGN = new Set([0x4dbb, 0x53ab, 0x53ac, 0xbb, 0xb3, 0xb7, 0xf7, 0xf1, 0xa3, 0xa0, 0xa1]);

/** Checks the elements of the parts of a segment. */
export interface PartChecker {
  /** @throws UnreadableFile beyond the limits, or where an element has another place */
  readonly check: (part: number, start: number, end: number) => Promise<void>;
}

/** What is left of the limits of a file. */
interface Left {
  elements: number;
  tracks: number;
}

/** Counts an element. @throws UnreadableFile beyond the limits */
const count = (left: Left, id: number, sizeBytes: number): void => {
  left.elements--;
  if (id === TRACK_ENTRY) left.tracks--;
  const isLargeStep = id === CODING_SETTINGS && sizeBytes > MATROSKA_LIMITS.codingBytes;
  if (Math.min(left.elements, left.tracks) < 0 || isLargeStep) throw indexTooLarge();
};

/** @returns a checker for all parts of one file, whose structures count together */
export const createPartChecker = (reader: ElementReader, { visit }: MatroskaNotes): PartChecker => {
  const left: Left = { elements: FORMATS.matroska.maxStructures, tracks: MATROSKA_LIMITS.tracks };
  const walk = async (parent: number, start: number, end: number, depth: number): Promise<void> => {
    if (depth > MATROSKA_LIMITS.depth) throw corruptStructure();
    let steps = 0;
    for (let at = start; at < end;) {
      const element = await reader.read(at);
      if (element?.sizeBytes === undefined) throw corruptStructure();
      const from = at + element.headerBytes;
      at = from + element.sizeBytes;
      if (at > end || FOREIGN.has(element.id) || isPart(element.id)) throw corruptStructure();
      count(left, element.id, element.sizeBytes);
      if (element.id === CODING_STEP && ++steps > MATROSKA_LIMITS.codingSteps) throw indexTooLarge();
      const visiting = visit({ id: element.id, start: from, end: at }, parent);
      if (visiting) await visiting;
      if (MASTERS.has(element.id)) await walk(element.id, from, at, depth + 1);
    }
  };
  return { check: (part, start, end) => walk(part, start, end, 1) };
};
