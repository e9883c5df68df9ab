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

/** What was detected and hidden in a whole video, and what was lost. */
export interface VideoReport {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  /** Could not be decoded: not in the result, nor in the metadata. */
  readonly lostFrames: number;
  /** MP4 files cannot hold their coding: encoded again in the result. */
  readonly reencodedAudioTracks: number;
  /** MP4 files cannot hold their coding, and they could not be encoded again: not in the result. */
  readonly droppedAudioTracks: number;
  readonly durationS: number;
}
