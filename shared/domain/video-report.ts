import type { ImageReport, ReportedDetection } from './image-report';

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
