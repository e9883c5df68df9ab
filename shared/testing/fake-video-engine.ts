import { damagedVideo, UnreadableFile } from '../domain/unreadable-file';
import type { Engine, VideoJob } from '../ports/engine';
import { createFakeEngine } from './fake-engine';
import { RAMP_MP4 } from './video-files';

export interface FakeVideo {
  readonly frameCount: number;
  /** Called during processing. */
  readonly during?: (job: VideoJob, signal: AbortSignal) => Promise<void>;
  readonly unreadable?: string;
}

/** The result of every video: a small valid one. */
export const FAKE_RESULT = RAMP_MP4;

const RESULT = {
  width: 64,
  height: 48,
  lostFrames: 0,
  reencodedAudioTracks: 0,
  droppedAudioTracks: 0,
  durationS: 1,
  timings: {},
} as const;

const FRAME_US = 40_000;

/** Smaller files are refused as damaged: tests send only the beginnings of videos. */
const MIN_VIDEO_BYTES = 200;

/**
 * An engine that detects a face in every frame of every video, and always writes the same result.
 *
 * @param images engine for everything else
 */
export const createFakeVideoEngine = (
  { frameCount, during, unreadable }: FakeVideo,
  images: Engine = createFakeEngine(),
): Engine => ({
  ...images,
  takesVideo: true,
  anonymiseVideo: async (job, { source, target, report }, onProgress, signal) => {
    await source.read(0, source.sizeBytes);
    if (source.sizeBytes < MIN_VIDEO_BYTES) throw damagedVideo();
    const isWritten = job.options.method !== 'detect';
    if (isWritten) await target.write(0, FAKE_RESULT);
    for (let first = 0; first < frameCount; first += job.framesPerReport) {
      const count = Math.min(job.framesPerReport, frameCount - first);
      await report(
        Array.from({ length: count }, (_, i) => ({
          index: first + i,
          timestampUs: (first + i) * FRAME_US,
          width: 64,
          height: 48,
          durationS: 0.1,
          detections: [
            {
              id: 0,
              objectClass: 'face',
              score: 0.9,
              box: { x1: 1, y1: 2, x2: 11, y2: 12 },
              isAnonymised: isWritten,
              color: [0, 1, 32],
              ...(job.tracking ? { trackId: 7 } : {}),
            },
          ],
        })),
        [],
      );
    }
    onProgress({ framesDone: Math.floor(frameCount / 2), framesTotal: frameCount });
    await during?.(job, signal);
    signal.throwIfAborted();
    if (unreadable !== undefined) throw new UnreadableFile(unreadable);
    onProgress({ framesDone: frameCount, framesTotal: frameCount });
    return { ...RESULT, frameCount };
  },
  surveyVideo: async () => ({ frameCount, endUs: frameCount * FRAME_US }),
  renderVideo: async ({ edits }, { target, plans }, onProgress) => {
    for (let part = 0; await plans(part); part += 1) {
      onProgress({ framesDone: part, framesTotal: frameCount });
    }
    await target.write(0, FAKE_RESULT);
    const lastFrame = frameCount - 1;
    return {
      ...RESULT,
      frameCount,
      followed: edits.drawn.map(({ id, timeUs }) => ({
        id,
        fromUs: timeUs,
        seenUntilUs: timeUs,
        untilUs: timeUs,
      })),
      shown: edits.visibleTracks.map((trackId) => ({ trackId, firstFrame: 0, lastFrame })),
    };
  },
});
