import type { BagFacts } from '#shared/domain/bag';
import type { HdrTransfer } from '#shared/domain/hdr';
import type { Projection } from '#shared/domain/projection';
import type { VideoProgress } from '#shared/ports/engine';
import type { MediaFile } from './media-file';
import type { BatchPlan } from './plan-batch';
import type { UncertainObjects } from './uncertain';
import { REPORTED_CLASSES, type ReportedClass } from '#shared/catalogue/classes';

/** Number of objects by class. Classes without objects are left out. */
type ObjectCounts = Readonly<Partial<Record<ReportedClass, number>>>;

interface CountedObject {
  readonly objectClass: ReportedClass;
  readonly trackId?: number;
}

/** Counts a tracked object once for all of its frames. Without tracking, each detection is counted. */
interface Tally {
  add(objects: readonly CountedObject[]): void;
  counts(): ObjectCounts;
}

export const createTally = (): Tally => {
  const tracks = new Set<number>();
  const counts = new Map<ReportedClass, number>();
  const isNew = (trackId: number | undefined): boolean => {
    if (trackId === undefined) return true;
    return tracks.size < tracks.add(trackId).size;
  };
  return {
    add: (objects) => {
      for (const { objectClass, trackId } of objects) {
        if (isNew(trackId)) counts.set(objectClass, (counts.get(objectClass) ?? 0) + 1);
      }
    },
    counts: () =>
      Object.fromEntries(
        REPORTED_CLASSES.filter((each) => counts.has(each)).map((each) => [each, counts.get(each)!]),
      ),
  };
};

export const countObjects = (objects: readonly CountedObject[]): ObjectCounts => {
  const tally = createTally();
  tally.add(objects);
  return tally.counts();
};

export interface Counts {
  readonly done: number;
  readonly failed: number;
  /** Number of files that an earlier run has processed. */
  readonly skipped: number;
  /** Number of files that are neither images nor videos, and of links that are not followed. */
  readonly left: number;
  /** Number of files that were not processed because the run was stopped. */
  readonly open: number;
  /** Number of files with uncertain objects, also of those that an earlier run has processed; absent: not asked for. */
  readonly uncertain?: number;
}

/** The result of one file. */
export interface FileReport {
  readonly objects: ObjectCounts;
  readonly uncertain: UncertainObjects;
  readonly seconds: number;
  /** What the source says of its projection; absent: nothing. */
  readonly projection?: Projection;
  /** Of a search that did not follow that. */
  readonly projectionWarning?: string;
  /** Only for videos; see `VideoReport`. */
  readonly video?: {
    readonly frames: number;
    readonly lostFrames: number;
    readonly isLossUncertain: boolean;
    /** Pixels that were added at the right and at the lower edge. */
    readonly padding: readonly [right: number, bottom: number];
    readonly reencodedAudioTracks: number;
    readonly droppedAudioTracks: number;
    readonly droppedAudioCodecs?: readonly string[];
    readonly toneMapped?: HdrTransfer;
    /** Of a bag: what became of its parts. */
    readonly bag?: BagFacts;
    /** Seconds of the source after which the result ends; absent: it has all of it. */
    readonly preview?: number;
  };
}

/** Receives the events of a run. */
export interface Report {
  planned(plan: BatchPlan): void;
  /** Processing of a file starts. */
  started(file: MediaFile): void;
  /** Only for videos, after each frame. */
  progressed(file: MediaFile, progress: VideoProgress): void;
  done(file: MediaFile, report: FileReport): void;
  failed(path: string, reason: string): void;
  /** The last call. @param problem a sentence about why the run ended early; undefined if it did not */
  ended(counts: Counts, seconds: number, problem: string | undefined): void;
}
