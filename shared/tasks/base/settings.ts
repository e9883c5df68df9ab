import type { Limits } from '../../domain/limits';
import type { ObjectClass } from '../../catalogue/classes';
import type { ImageEncoding, ImageFormat, MaskKind } from '../../ports/engine';
import type { Engine } from '../../ports/host-engine';
import type { RequestedTiling } from '../../domain/options';
import type { Edits } from '../../domain/edits/edits';
import type { ReasonCode } from '../../domain/reasons';
import type { Task } from '../../domain/task';
import type { Log, System, Timer } from '../../ports/system';
import type { WebhookPorts } from '../../ports/webhooks';
import type { Storage, SubjectStore, TaskStore } from '../../ports/storage';

/** What tasks need of a host. */
export interface TaskPorts {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly taskStore: TaskStore;
  readonly system: System;
  readonly log: Log;
  /** Needed where tasks have a time limit. */
  readonly timer?: Timer;
  /** Without them no upload may ask for a webhook. */
  readonly webhooks?: WebhookPorts;
  /** Without them nobody stays visible. */
  readonly subjects?: SubjectStore | undefined;
}

export const SAVE_MASK_CHOICES = ['none', 'all', 'binary', 'instance'] as const;
export type SaveMask = (typeof SAVE_MASK_CHOICES)[number];

/** What a host was started with; the same for all requests. */
export interface ServiceSettings {
  /** Put before `/v1/…` in links; no trailing slash. */
  readonly baseUrl: string;
  /** Classes this host can process (`-a`). */
  readonly classes: readonly ObjectClass[];
  /** Used where a request names no `format`. */
  readonly format: RequestedTiling;
  /** Reasons that requests without a list can name (`--reasons`); absent: none. */
  readonly reasons?: readonly ReasonCode[];
  /** Masks that can be had of each result (`--save-mask`). */
  readonly saveMask: SaveMask;
  /**
   * `written` next to each result, or `rendered` when asked for: a page that shows no masks need not spend longer on
   * them than on many an image.
   */
  readonly maskFiles: 'written' | 'rendered';
  /** How many images are worked on at once. */
  readonly concurrency: number;
  /** `latest`: a new upload deletes the image before it (the container's single slot). */
  readonly hold: 'all' | 'latest';
  /** What a synchronous upload gets while something is being processed. */
  readonly syncWhenBusy: 'refuse' | 'queue';
  /** Maximum number of queued and running tasks; further uploads are refused. Undefined: no limit. */
  readonly maxQueue?: number | undefined;
  /** Longest that a task may be worked on, whatever its size is; undefined: no limit. */
  readonly taskTimeoutMs?: number | undefined;
  /** More time for each megapixel of an image, or of all frames of a video; absent: none. */
  readonly taskTimeoutMsPerMegapixel?: number | undefined;
  /** Estimated memory of all images in work: an image waits for room. Undefined: no limit. */
  readonly memoryBudgetBytes?: number | undefined;
  /** Some fields of the metadata of uploads stay in their results (`--keep-metadata`). */
  readonly keepMetadata?: boolean;
  /** Results are downloaded only after a reviewer has released them (`--release-gate`). */
  readonly releaseGate?: boolean;
  /** Uploads with parameters that the API does not have are refused. */
  readonly strictParameters?: boolean;
  /** `LIMITS`, or what flags made of them. */
  readonly limits: Limits;
}

const SAVED_MASKS = {
  none: [],
  all: ['binary', 'instance'],
  binary: ['binary'],
  instance: ['instance'],
} as const satisfies Record<SaveMask, readonly MaskKind[]>;

export const savedMasks = ({ saveMask }: Pick<ServiceSettings, 'saveMask'>): readonly MaskKind[] =>
  SAVED_MASKS[saveMask];

/** How results are stored; also what a download gives where it names no quality or compression level. */
export const DEFAULT_ENCODINGS = {
  jpeg: { format: 'jpeg', quality: 90 },
  png: { format: 'png', compressLevel: 5 },
  webp: { format: 'webp', quality: 90 },
  avif: { format: 'avif', quality: 90 },
} as const satisfies Record<ImageFormat, ImageEncoding>;

/** How a result is encoded at first, and after edits. */
export const encodingOf = (
  format: ImageFormat,
  { jpegCopy }: Pick<Task['options'], 'jpegCopy'>,
): ImageEncoding =>
  jpegCopy && format === 'jpeg'
    ? { ...DEFAULT_ENCODINGS.jpeg, copiesBlocks: true }
    : DEFAULT_ENCODINGS[format];

/** Whether some fields of the metadata of a task's file stay in its result. @param edits that replace it */
export const keepsMetadata = (
  { options }: Pick<Task, 'options'>,
  { keepMetadata = false }: Pick<ServiceSettings, 'keepMetadata'>,
  { keep_metadata: wanted }: Pick<Edits, 'keep_metadata'> = {},
): boolean => wanted ?? options.keepMetadata ?? keepMetadata;
