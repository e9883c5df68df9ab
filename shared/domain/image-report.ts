import type { Box } from './boxes';
import type { ObjectClass } from '../catalogue/classes';

/** One detection as the engine reports it; `shared/api` gives it the contract's field names. */
export interface ReportedDetection {
  readonly id: number;
  readonly objectClass: ObjectClass;
  readonly score: number;
  /** In whole px, inside the image. */
  readonly box: Box;
  readonly isAnonymised: boolean;
  /** RGB of the object in the instance mask. */
  readonly color: readonly [number, number, number];
  /** It is not hidden, because it belongs to a requested subject: similarity of the face to it, 0..1. */
  readonly shownConfidence?: number;
}

/** What was detected and hidden in one image. */
export interface ImageReport {
  readonly width: number;
  readonly height: number;
  readonly detections: readonly ReportedDetection[];
  /** Detection and anonymisation, without reading, decoding, encoding and writing. */
  readonly durationS: number;
}

export interface ReportedFrameDetection extends ReportedDetection {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** What was detected and hidden in one frame. */
export interface FrameReport extends ImageReport {
  /** From 0. */
  readonly index: number;
  readonly timestampUs: number;
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
  /** Codecs of audio tracks of which the host could not mute parts; absent: none. */
  readonly unmutableAudio?: readonly string[];
  readonly durationS: number;
}
