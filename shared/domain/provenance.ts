import type { MetadataKind } from './image-header';

/** What identifies a file by its bytes. */
export interface FileFacts {
  /** Of all bytes, as 64 hexadecimal digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A model that took part in processing. */
export interface UsedModel {
  /** In the manifest. */
  readonly id: string;
  readonly sha256: string;
}

/** Numbers of the tracks of a video. */
export interface TrackCounts {
  readonly video: number;
  readonly audio: number;
  /** Subtitles, captions and other text. */
  readonly subtitles: number;
  /** All others: measurements, timecodes, chapters. */
  readonly data: number;
}

/** How a file was processed, recorded at that time for reports. */
export interface Provenance {
  /** Version of Veil. */
  readonly version: string;
  readonly source: FileFacts;
  readonly models: readonly UsedModel[];
  /** Kinds of metadata in the source; absent where they were not searched. */
  readonly sourceMetadata?: readonly MetadataKind[];
  /** Tracks of the source; absent for images, and where they were not counted. */
  readonly sourceTracks?: TrackCounts;
}

/** Metadata and tracks of a video; nothing where they are not known: an incomplete list would claim too little. */
export type FoundInVideo = Pick<Provenance, 'sourceMetadata' | 'sourceTracks'>;

/** Each model of several runs once. */
export const unitedModels = (runs: readonly (readonly UsedModel[])[]): readonly UsedModel[] => [
  ...new Map(runs.flat().map((model) => [`${model.id} ${model.sha256}`, model])).values(),
];

/** One time that edits replaced a result. */
export interface AppliedEdits {
  readonly atMs: number;
  /** Version of Veil that rendered the result. */
  readonly version: string;
  /** The person who decided them, if the edits named one. */
  readonly reviewer?: string;
  /** How many objects and areas they named; absent for none. */
  readonly decided?: number;
}

/** Latest replacements that are recorded of a result: a page may send edits with each move of a slider. */
const MAX_APPLIED_EDITS = 1_000;

/** The record with one more replacement; the oldest ones are dropped beyond the limit. */
export const withAppliedEdits = (
  before: readonly AppliedEdits[] | undefined,
  added: AppliedEdits,
): readonly AppliedEdits[] => [...(before ?? []), added].slice(-MAX_APPLIED_EDITS);
