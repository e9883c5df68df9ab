import type { ImageFormat } from '../catalogue/formats';
import type { BagOptions } from '../domain/bag';
import type { Limits } from '../domain/limits';
import type { VideoOptions } from '../catalogue/derive-parameters';
import type { ImageOptions, ModelNeeds } from '../domain/options';
import type { ImageHeader, UsedModel, FoundInVideo } from '../domain/image-header';
import type { KeptFacts } from '../domain/kept-in-video';
import type {
  ImageReport,
  FrameReport,
  VideoReport,
  RedactionPlan,
  Shape,
  FramePlan,
  ShownFrames,
  TimeRange,
} from '../domain/plan';
import type { Detection } from '../domain/detection';
import type { GivenObject } from '../domain/given';
import type { Size } from '../domain/raster';
import type { Embedding, Sample, ShownTrack } from '../domain/subject';
import type { Edits, FollowedArea } from '../domain/edits/edits';
import type { ByteSource, ByteTarget, MutedTimeRange, VideoLimits } from './video';

export type { ImageFormat };
/** Formats whose encoder has a quality instead of a compression level. */
export type LossyFormat = Exclude<ImageFormat, 'png'>;
/** How an anonymised image is written. */
export type ImageEncoding =
  | {
      readonly format: LossyFormat;
      /** 1..100. */
      readonly quality: number;
      /** What redaction does not touch is copied from a source that is JPEG, where it can be. */
      readonly copiesBlocks?: true;
    }
  | { readonly format: 'png'; readonly compressLevel: number };
export type MaskKind = 'binary' | 'instance';

export type PixelLimits = Pick<Limits, 'maxPixels' | 'maxSidePx'>;

export interface ImageJob {
  readonly bytes: Uint8Array;
  /** As it was read when the file was accepted. */
  readonly header: ImageHeader;
  readonly options: ImageOptions;
  /** How to write the result. */
  readonly encoding: ImageEncoding;
  /** Which masks to write next to it. */
  readonly masks: readonly MaskKind[];
  /** Objects down to this score are kept in the plan, so that a lower threshold needs no new search; absent: none. */
  readonly candidateFloor?: number;
  /** Searches in windows, for low memory: the results are the same, except for objects that two windows cut. */
  readonly lowMemory?: boolean;
  /** Some fields of the source's metadata stay in the result; otherwise none do. */
  readonly keepMetadata?: boolean;
  /** These objects are hidden, and nothing is searched; absent: it is searched. */
  readonly given?: readonly GivenObject[];
}

export interface ImageResult {
  /** Of the anonymised file. */
  readonly format: ImageFormat;
  /** The encoded file; null with `detect`. */
  readonly anonymised: Uint8Array | null;
  /** PNG files. */
  readonly masks: Readonly<Partial<Record<MaskKind, Uint8Array>>>;
  readonly report: ImageReport;
  /** It was searched in windows: see `ImageJob`. */
  readonly sparedMemory?: boolean;
  readonly models: readonly UsedModel[];
  /** Enough to render the same result again, in another encoding or scale. */
  readonly plan: RedactionPlan;
  /** Milliseconds of each step, for the benchmark. */
  readonly timings: Readonly<Record<string, number>>;
}

export type Progress = (share: number) => void;

/** How a video is written. */
export interface VideoOutput extends Pick<VideoOptions, 'keepBitRate' | 'audio' | 'preview'> {
  readonly options: ImageOptions;
  /** Parts whose sound is removed, sorted and disjoint. */
  readonly mutedRanges?: readonly MutedTimeRange[];
  readonly limits: VideoLimits;
  /** Some fields of the source's metadata stay in the result; otherwise none do. */
  readonly keepMetadata?: boolean;
}

export interface VideoJob extends VideoOutput, VideoOptions {
  /** Number of frames in one report. */
  readonly framesPerReport: number;
  /** Whether each frame's plan is reported too, so that the video can be rendered again. */
  readonly keepsPlans?: boolean;
  /** Only plans and reports are made: nothing is written. */
  readonly isOnlyPlanned?: boolean;
  /**
   * Only this part of the video is searched and planned, and nothing is written; `untilUs` is exclusive. Frames count
   * from its first one. Rejects with `UnsupportedCoding` if the video would have to be converted.
   */
  readonly analysis?: TimeRange;
  /** The file is a bag, of whose parts this becomes; absent: it is a video. */
  readonly bag?: BagOptions;
  /** Size of the frames whose objects are given (`VideoFiles.given`): nothing is searched; absent: it is. */
  readonly given?: Size;
}

/** Facts about a video that are known without decoding it. */
export interface VideoSurvey extends Size {
  readonly frameCount: number;
  /** Width times height of a frame. */
  readonly pixels: number;
  /** End of the last frame. */
  readonly endUs: number;
}

/** Where a video comes from and goes to; it is never in memory as a whole. */
export interface MediaFiles {
  readonly source: ByteSource;
  /** Gets an MP4 file; nothing with `detect`. */
  readonly target: ByteTarget;
}

export interface VideoFiles extends MediaFiles {
  /**
   * Takes the reports of `framesPerReport` frames in order, at last of those that are left.
   *
   * @param plans of the same frames; none where they are not kept
   */
  report(frames: readonly FrameReport[], plans: readonly FramePlan[]): Promise<void>;
  /**
   * The objects of some frames, in order; only where the job says that they are given.
   *
   * @returns undefined behind the last frame
   */
  given?(part: number): Promise<readonly (readonly GivenObject[])[] | undefined>;
}

export interface RenderJob extends VideoOutput {
  readonly edits: Edits;
  /** Tracks of the subject that stays visible; absent: none. */
  readonly shownTracks?: readonly ShownTrack[];
}

/** A video whose planned faces are compared with a subject. */
export interface TrackMatchJob {
  /** Of the subject. */
  readonly samples: readonly Embedding[];
  readonly limits: VideoLimits;
}

export interface RenderFiles extends MediaFiles {
  /** @param part number of a report of the first run, from 0. @returns undefined after the last */
  plans(part: number): Promise<readonly FramePlan[] | undefined>;
}

export interface VideoProgress {
  readonly framesDone: number;
  /** As stated in the file; not less than those done. 1 while the video is converted. */
  readonly framesTotal: number;
  /** Width times height of a frame; absent while the video is converted. */
  readonly pixels?: number;
  /** Of a video that is converted first: how much of that is done, 0..1. */
  readonly converted?: number;
}

export interface VideoResult extends VideoReport {
  /** Of the source; absent where they are not known. */
  readonly found?: FoundInVideo;
  /** What was kept of its metadata; absent where nothing was asked for. */
  readonly kept?: KeptFacts;
  /** Milliseconds of each step, for the benchmark; steps run next to each other. `models`: runs, all workers together. */
  readonly timings: Readonly<Record<string, number>>;
}

export interface AnonymisedVideo extends VideoResult {
  readonly models: readonly UsedModel[];
}

export interface RenderResult extends VideoResult {
  /** How the drawn boxes were followed. */
  readonly followed: readonly FollowedArea[];
  /** Where tracks were not hidden. */
  readonly shown: readonly ShownFrames[];
}

/** An image to which a stored plan is applied again. */
export interface ImageRenderJob {
  /** The source. */
  readonly bytes: Uint8Array;
  /** As it was read when the file was accepted. */
  readonly header: ImageHeader;
  readonly plan: RedactionPlan;
  readonly encoding: ImageEncoding;
  /** Some fields of the source's metadata stay in the result; otherwise none do. */
  readonly keepMetadata?: boolean;
}

export type VideoProgressListener = (progress: VideoProgress) => void;

/**
 * What the engine does. Each method rejects with the signal's reason when it aborts.
 *
 * Bytes of images may be transferred: a caller must not use them afterwards.
 */
export interface EngineMethods {
  /** Loads the needed models now instead of at the first image, and reports their backend. */
  load(needs: ModelNeeds, onProgress: Progress, signal: AbortSignal): Promise<{ readonly backend: string }>;
  anonymiseImage(job: ImageJob, onProgress: Progress, signal: AbortSignal): Promise<ImageResult>;
  /** @throws where the host takes no videos */
  anonymiseVideo(
    job: VideoJob,
    files: VideoFiles,
    onProgress: VideoProgressListener,
    signal: AbortSignal,
  ): Promise<AnonymisedVideo>;
  /**
   * Reads a video's index, to analyse its parts separately.
   *
   * @returns undefined if the video would have to be converted first: then its parts cannot be analysed
   * @throws UnreadableFile; where the host takes no videos
   */
  surveyVideo(
    limits: VideoLimits,
    files: Pick<MediaFiles, 'source'>,
    signal: AbortSignal,
  ): Promise<VideoSurvey | undefined>;
  /**
   * Renders a video again by the plans of its first run, with a user's changes.
   *
   * @throws where the host takes no videos
   */
  renderVideo(
    job: RenderJob,
    files: RenderFiles,
    onProgress: VideoProgressListener,
    signal: AbortSignal,
  ): Promise<RenderResult>;
  /** Makes masks of objects in an image that was searched before; null for each without one. */
  outlineObjects(
    bytes: Uint8Array,
    objects: readonly Detection[],
    header: ImageHeader,
    signal: AbortSignal,
  ): Promise<readonly (Shape | null)[]>;
  /** Computes the embedding of the only face in a sample photo. @throws UnreadableFile */
  embedSample(bytes: Uint8Array, limits: PixelLimits, signal: AbortSignal): Promise<Sample>;
  /**
   * Compares faces of an image with the samples of a subject.
   *
   * @returns similarities, −1..1; −1 for faces that cannot be compared
   */
  matchFaces(
    bytes: Uint8Array,
    compared: { readonly faces: readonly Detection[]; readonly samples: readonly Embedding[] },
    header: ImageHeader,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /**
   * Finds the tracks of a subject among the plans of a video's first run.
   *
   * @throws where the host takes no videos, or a frame has no plan of its own
   */
  matchTracks(
    job: TrackMatchJob,
    files: Pick<RenderFiles, 'source' | 'plans'>,
    signal: AbortSignal,
  ): Promise<readonly ShownTrack[]>;
  renderImage(job: ImageRenderJob, signal: AbortSignal): Promise<Uint8Array>;
  /** @param scalePercent above 0 to 100 */
  renderMask(
    plan: RedactionPlan,
    kind: MaskKind,
    scalePercent: number,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
}
