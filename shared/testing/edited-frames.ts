import fc from 'fast-check';
import { defaultImageOptions } from '../domain/options';
import { editFrame } from '../engine/edits/edit-frame';
import { followDrawn } from '../engine/edits/follow-drawn';
import type { RenderJob } from '../ports/engine';
import type { VideoFrame } from '../ports/video';
import type { Send } from './conformance';
import { filePart, uploadedId } from './conformance-steps';
import { createFakeVideoEngine } from './fake-video-engine';
import { createInProcessHost } from './in-process-host';
import { boxOf, found, planFor } from './plans';
import { plainRaster } from './rasters';
import { RAMP_MP4 } from './video-files';

/** When a frame is shown, in µs. */
export type FrameTime = Pick<VideoFrame, 'timestampUs' | 'durationUs'>;

/** Track of the face that the fake engine finds in every frame. */
export const TRACK = 7;
/** Far from the face. */
export const AREA_BOX = [40, 30, 60, 46] as const;

const SIZE = { width: 64, height: 48 };
const RASTER = plainRaster(SIZE.width, SIZE.height, [120, 120, 120]);
const FACE = planFor(SIZE, [found('face', boxOf(2, 2, 12, 12))], defaultImageOptions()).regions.map(
  (region) => ({ ...region, trackId: TRACK }),
);

/** Frames of random lengths in whole µs; the duration that a decoder states may differ from the real one. */
export const frameTimes = (statedShare = fc.constantFrom(1, 1, 1, 0.5, 1.5)): fc.Arbitrary<FrameTime[]> =>
  fc
    .tuple(
      fc.nat(50_000),
      fc.array(fc.tuple(fc.integer({ min: 3_000, max: 120_000 }), statedShare), {
        minLength: 1,
        maxLength: 24,
      }),
    )
    .map(([startUs, lengths]) => {
      let timestampUs = startUs;
      return lengths.map(([lengthUs, share]) => {
        const frame = { timestampUs, durationUs: Math.round(lengthUs * share) };
        timestampUs += lengthUs;
        return frame;
      });
    });

/** What a rendering with edits hides in one frame. */
export interface HiddenIn {
  /** Whether the face is hidden. */
  readonly face: boolean;
  /** Of the face where it differs from that of the video. */
  readonly method: string | undefined;
  /** Whether the drawn area is hidden. */
  readonly area: boolean;
}

/** What the engine hides in each frame. @param job undefined: the edits asked for no other rendering */
const renderedBy = (job: RenderJob | undefined, times: readonly FrameTime[]): HiddenIn[] => {
  if (!job) return times.map(() => ({ face: true, method: undefined, area: false }));
  const { edits, options } = job;
  const follower = followDrawn(edits.areas);
  return times.map((time, index) => {
    const frame = { ...time, index, raster: RASTER };
    const places = follower.step(frame, index === times.length - 1);
    const { regions } = editFrame(frame, { regions: FACE, places }, { options, edits });
    const face = regions.find(({ detection }) => detection.objectClass === 'face');
    return { face: face !== undefined, method: face?.method, area: regions.length > (face ? 1 : 0) };
  });
};

/** A host with a video of these frames. */
export const hostWith = async (
  times: readonly FrameTime[],
): Promise<{ readonly send: Send; readonly id: string; readonly hidden: () => readonly HiddenIn[] }> => {
  const jobs: RenderJob[] = [];
  const starts = times.map(({ timestampUs }) => timestampUs);
  const video = { frameCount: times.length, times: starts, duringEdits: (job: RenderJob) => jobs.push(job) };
  const { send } = createInProcessHost({}, { engine: createFakeVideoEngine(video) });
  const id = await uploadedId(send, { parts: [filePart(RAMP_MP4, 'a.mp4', 'video/mp4')] });
  return { send, id, hidden: () => renderedBy(jobs.at(-1), times) };
};
