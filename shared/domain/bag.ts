import type { Size } from './raster';

/** What happens with the parts of a bag. Plain data: it is sent to workers and stored. */
export interface BagOptions {
  /** Topics that the result has; absent: all. */
  readonly topics?: readonly string[];
  /** Part of the bag that the result has, in seconds from its first message; absent: from its start, to its end. */
  readonly startS?: number;
  readonly endS?: number;
  /** Topics that are left out. */
  readonly dropTopics: readonly string[];
  /** Topics that stay as they are, whatever they show. */
  readonly keepTopics: readonly string[];
  /** Depth images stay; otherwise they are left out. */
  readonly keepDepth: boolean;
  /** All attachments stay; otherwise only texts do. */
  readonly keepAttachments: boolean;
}

/** An image topic of a bag, of which all images are anonymised. */
export interface BagTopic extends Size {
  readonly name: string;
  readonly frames: number;
}

/** What became of the parts of a bag. */
export interface BagFacts {
  readonly topics: readonly BagTopic[];
  /** Whether a topic has images or depth, or was named: its messages are not looked at. */
  readonly hasImages: boolean;
  /** Topics that stayed as they were: named ones, and those of depth images where these are kept. */
  readonly keptTopics: readonly string[];
  /** Topics that were left out: named ones, and those of depth images. */
  readonly droppedTopics: readonly string[];
  /** Names of attachments that were left out. */
  readonly droppedAttachments: readonly string[];
  /** Number of frames of video before the first key frame of their topic, which are left out. */
  readonly lostFrames: number;
}

const named = (names: readonly string[]): string => names.join(', ');

/**
 * What a topic shows: images that are anonymised; distances; something that cannot be read, so that somebody has to say
 * what becomes of it; or nothing.
 */
export type TopicKind = 'images' | 'depth' | 'unread' | 'other';

/** A topic as a list of a bag has it, before anything is decided. */
export interface ListedTopic {
  readonly name: string;
  readonly kind: TopicKind;
  /** Names of the schemas of its messages, and the encodings of these: usually one. */
  readonly schemas: readonly string[];
  readonly encodings: readonly string[];
  /** Pixels or files of its images, as the first one names them. */
  readonly format?: string;
  readonly size?: Size;
  readonly messages: number;
  /** From its first message to its last. */
  readonly durationS: number;
  /** Of `unread`: why, as a clause. */
  readonly problem?: string;
  /** The first image that can be decoded, small, as JPEG. */
  readonly preview?: Uint8Array;
}

/** What is in a bag. */
export interface BagContents {
  readonly topics: readonly ListedTopic[];
  readonly durationS: number;
  /** Names of attachments that do not stay unless all do. */
  readonly unkeptAttachments: readonly string[];
}

/** Of a bag whose result is a copy: recorders divide bags by size or time, so that some have no image at all. */
export const NO_IMAGES = 'No topic of this bag has images: there is nothing to anonymise.';

/** What a reader of the result must not overlook, as sentences. */
export const bagChanges = ({
  hasImages,
  keptTopics,
  droppedTopics,
  droppedAttachments,
}: BagFacts): string[] => [
  ...(hasImages ? [] : [NO_IMAGES]),
  ...(keptTopics.length > 0 ? [`Topics that are not anonymised: ${named(keptTopics)}.`] : []),
  ...(droppedTopics.length > 0 ? [`Topics that are left out: ${named(droppedTopics)}.`] : []),
  ...(droppedAttachments.length > 0 ? [`Attachments that are left out: ${named(droppedAttachments)}.`] : []),
];

export const DEFAULT_BAG_OPTIONS: BagOptions = {
  dropTopics: [],
  keepTopics: [],
  keepDepth: false,
  keepAttachments: false,
};
