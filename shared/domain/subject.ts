/** A unit vector that describes a face. Biometric data: it stays on the host, and is never logged or returned. */
export type Embedding = readonly number[];

/** A person whose face stays visible where a client requests it. */
export interface Subject {
  /** UUID */
  readonly id: string;
  readonly createdAtMs: number;
  /** One for each sample photo. */
  readonly embeddings: readonly Embedding[];
}

/** Minimum score of a face that is compared: a doubtful detection may not be a face, or only a part of one. */
export const MIN_FACE_SCORE = 0.6;

/** Minimum shorter side of the face in a sample photo, in px. */
export const MIN_SAMPLE_PX = 40;

/** What a sample photo shows. */
export type Sample =
  | { readonly kind: 'face'; readonly embedding: Embedding }
  | { readonly kind: 'no-face' }
  | { readonly kind: 'several-faces'; readonly faces: number }
  /** Seen from the side. */
  | { readonly kind: 'turned-face' }
  /** @see MIN_SAMPLE_PX */
  | { readonly kind: 'small-face'; readonly sidePx: number };

/** A face of the subject, by the number of its detection. */
export interface ShownFace {
  readonly id: number;
  /** Similarity to the subject, 0..1. */
  readonly confidence: number;
}

/** A track of the subject's face. */
export interface ShownTrack {
  readonly trackId: number;
  /** Median similarity to the subject over the compared frames, 0..1. */
  readonly confidence: number;
  /** Where it may be visible: between frames that were compared and agree. Sorted and disjoint. */
  readonly ranges: readonly { readonly fromUs: number; readonly untilUs: number }[];
}

/** The subject of a task was deleted, or never existed: nobody stays visible. */
export const SUBJECT_GONE = 'The person to keep visible was deleted before the file was processed.';

/** In place of a subject's id: nobody stays visible. */
export const NO_SUBJECT = 'none';
