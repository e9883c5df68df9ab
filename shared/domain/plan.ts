import type { BagFacts } from './bag';
import type { HdrTransfer } from './hdr';
import type { Box } from './boxes';
import type { Detection } from './detection';
import { hides, type HidingMethod, type Method } from '../catalogue/methods';
import type { IgnoreArea } from './options';
import type { ReportedClass } from '../catalogue/classes';

/** The shape that hides one object, in image px. Plain data, so that a plan can be stored and re-rendered. */
export type Shape =
  | { readonly kind: 'box'; readonly box: Box }
  | { readonly kind: 'ellipse'; readonly box: Box }
  /** |x|^n + |y|^n ≤ 1 inside the box; n = 3 follows a car's outline better than an ellipse. */
  | { readonly kind: 'superellipse'; readonly box: Box; readonly exponent: number }
  /** Four corners, clockwise. */
  | { readonly kind: 'quad'; readonly corners: readonly (readonly [number, number])[] }
  /** Row-major run lengths over `box` (whole pixels), starting with an uncovered run. */
  | { readonly kind: 'runs'; readonly box: Box; readonly runs: readonly number[] };

/** How one object is hidden. */
export interface Region {
  /** Index of the object in the report. */
  readonly id: number;
  readonly detection: Detection;
  /** The pixels inside are fully hidden. */
  readonly shape: Shape;
  /** Width in px of the soft edge outside `shape`, 0 for a hard one. */
  readonly featherPx: number;
  /**
   * Side in px of the cells that are averaged; the object's longer side where nothing of it is used. No finer detail
   * remains, whether the cells are smoothed or not.
   */
  readonly cellPx: number;
  /** Its own method; absent where the plan's is used. */
  readonly method?: HidingMethod;
  /** It is not hidden, because it belongs to a requested subject: similarity of the face to it, 0..1. */
  readonly shown?: number;
  /**
   * The object by which edits refer to it, if they changed the numbers: the number of a detection, or −1 less the index
   * of a drawn area.
   */
  readonly object?: number;
}

/** An area that is hidden whatever is there. Numbers follow those of all detections: `numberedAreas`. */
export interface AreaRegion extends Pick<Region, 'shape' | 'featherPx' | 'cellPx' | 'method'> {
  readonly detection: { readonly objectClass: 'area'; readonly score: number; readonly box: Box };
  /** Why it is hidden: a code. */
  readonly reason?: string;
}

/** The code of a reason that is written over a mask. */
export interface ReasonLabel {
  /** Of the mask, in whole px. */
  readonly box: Box;
  readonly text: string;
}

/** A complete description of a redaction: the same plan and image give the same pixels on both hosts. */
export interface RedactionPlan {
  readonly width: number;
  readonly height: number;
  readonly method: Method;
  readonly regions: readonly Region[];
  readonly ignores: readonly IgnoreArea[];
  /** Hidden after all regions, so that nothing uncovers them; absent: none. */
  readonly areas?: readonly AreaRegion[];
  /** Codes that are written over masks in the end; absent: none. */
  readonly labels?: readonly ReasonLabel[];
  readonly debug: boolean;
  readonly score: boolean;
  /** An equirectangular panorama, whose left and right edge meet; absent for other images. */
  readonly wraps?: true;
  /** Detections below the threshold; absent unless requested. */
  readonly candidates?: readonly Detection[];
  /** Shapes of candidates that were added later, by their numbers; null where no mask could be made. */
  readonly candidateOutlines?: Readonly<Record<number, Shape | null>>;
}

/** The areas with their numbers in reports, which no detection and no candidate has. */
export const numberedAreas = ({
  regions,
  candidates = [],
  areas = [],
}: RedactionPlan): readonly (AreaRegion & Pick<Region, 'id'>)[] =>
  areas.map((area, i) => ({ ...area, id: regions.length + candidates.length + i }));

/** The method of a region: its own, unless the plan's is `detect`. */
export const methodOf = ({ method }: Pick<Region, 'method'>, plan: Pick<RedactionPlan, 'method'>): Method =>
  hides(plan.method) ? (method ?? plan.method) : plan.method;

/** Media timestamps are in microseconds (`timestampUs`); containers and people count in seconds. */
export const US_PER_SECOND = 1e6;

/** A region with the detection that it hides. */
export interface PlannedRegion extends Region {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** The plan of one frame, from which it is rendered again without detectors. */
export interface FramePlan {
  /** From 0. */
  readonly index: number;
  readonly timestampUs: number;
  readonly regions: readonly PlannedRegion[];
}

/** A time range of a video. */
export interface TimeRange {
  readonly fromUs: number;
  /** Not before `fromUs`. */
  readonly untilUs: number;
}

/** Frames in which a track is not hidden, including the last one. */
export interface ShownFrames {
  readonly trackId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}

/** One detection as the engine reports it; `shared/api` gives it the contract's field names. */
export interface ReportedDetection {
  readonly id: number;
  readonly objectClass: ReportedClass;
  readonly score: number;
  /** In whole px, inside the image. */
  readonly box: Box;
  readonly isAnonymised: boolean;
  /** RGB of the object in the instance mask. */
  readonly color: readonly [number, number, number];
  /** It is not hidden, because it belongs to a requested subject: similarity of the face to it, 0..1. */
  readonly shownConfidence?: number;
  /** See `Region`. */
  readonly object?: number;
}

/** What was detected and hidden in one image. */
export interface ImageReport {
  readonly width: number;
  readonly height: number;
  readonly detections: readonly ReportedDetection[];
  /** Detection and anonymisation, without reading, decoding, encoding and writing. */
  readonly durationS: number;
}

/** Whether a detector found it; otherwise it is an area that is always hidden. */
export const isDetected = <T extends ReportedDetection>(one: T): one is T & Pick<Detection, 'objectClass'> =>
  one.objectClass !== 'area';

export interface ReportedFrameDetection extends ReportedDetection {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** What was detected and hidden in one frame. */
export interface FrameReport extends ImageReport {
  /** From 0. */
  readonly index: number;
  readonly timestampUs: number;
  /** Of a frame of a bag. */
  readonly topic?: string;
  readonly detections: readonly ReportedFrameDetection[];
}

/** What was detected and hidden in a whole video, and losses of the conversion. */
export interface VideoReport {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  /** Frames that could not be decoded; they are missing in the result and in the metadata. */
  readonly lostFrames: number;
  /** Whether `lostFrames` is an estimate, or more frames may be missing; absent: no. */
  readonly isLossUncertain?: boolean;
  /** Audio tracks in the result, copied or encoded again. */
  readonly audioTracks: number;
  /** Audio tracks that were encoded again, because MP4 cannot hold their codec. */
  readonly reencodedAudioTracks: number;
  /** Audio tracks that are missing in the result: MP4 cannot hold their codec, and they could not be encoded again. */
  readonly droppedAudioTracks: number;
  /** Codec of each of `droppedAudioTracks`, in order; absent: none. */
  readonly droppedAudioCodecs?: readonly string[];
  /** Codecs in the result of the tracks that the writer encoded again; absent: none. */
  readonly encodedAudio?: readonly string[];
  /** Codecs of audio tracks of which the host could not mute parts; absent: none. */
  readonly unmutableAudio?: readonly string[];
  /** Codecs of those in which it could put no bleep; absent: none. */
  readonly unbleepableAudio?: readonly string[];
  /** Transfer of the source if its frames were mapped from high dynamic range to standard range; absent: no. */
  readonly toneMapped?: HdrTransfer;
  /** Of a bag: what became of its parts; sizes of frames are those of its topics. */
  readonly bag?: BagFacts;
  readonly durationS: number;
}
