import type { RenderFiles, RenderJob, RenderResult, VideoProgress } from '../../ports/engine';
import type { VideoFrame } from '../../ports/video';
import { editFrame } from '../edits/edit-frame';
import { logShown } from '../edits/edit-range';
import { followDrawn } from '../edits/follow-drawn';
import {
  decodedFrames,
  redactVideo,
  type FramePlanner,
  type RedactVideoPorts,
  type SettledFrame,
} from './redact-video';
import type { FramePlan } from '../../domain/video-edits';

/** Gives the first run's plans frame by frame: one part of them is in memory at a time. */
interface StoredPlans {
  /** @throws where the first run saw another frame here: it must not pass unredacted */
  of(frame: VideoFrame): Promise<FramePlan>;
  /** @throws where the first run saw more frames */
  end(): Promise<void>;
}

/** The video was decoded into other frames than those that were planned. */
export class PlansDiffer extends Error {
  override readonly name = 'PlansDiffer';
}

/** Times are stored as decimals. */
const SAME_TIME_US = 1;

const readPlans = (files: RenderFiles): StoredPlans => {
  let part = 0;
  let waiting: FramePlan[] = [];
  const next = async (): Promise<FramePlan | undefined> => {
    if (waiting.length === 0) waiting = [...((await files.plans(part++)) ?? [])].reverse();
    return waiting.pop();
  };
  return {
    of: async ({ index, timestampUs }) => {
      const plan = await next();
      if (plan?.index === index && Math.abs(plan.timestampUs - timestampUs) <= SAME_TIME_US) return plan;
      throw new PlansDiffer(`frame ${index} has no plan: it was decoded otherwise at first`);
    },
    end: async () => {
      if (await next()) throw new PlansDiffer('there are plans of frames that were not decoded again');
    },
  };
};

/** Says of each item whether it is the last. */
async function* withLast<T>(items: AsyncIterable<T>): AsyncGenerator<readonly [item: T, isLast: boolean]> {
  let held: [T] | undefined;
  for await (const item of items) {
    if (held) yield [held[0], false];
    held = [item];
  }
  if (held) yield [held[0], true];
}

/**
 * Renders a video again: each frame hides what its first run found, but for tracks that a user wants to see, and what
 * a user has drawn. Nothing is searched, so that it takes as long as decoding and encoding do.
 *
 * @throws where a frame has no plan of its own
 */
export const renderVideo = async (
  job: RenderJob,
  files: RenderFiles,
  ports: RedactVideoPorts,
  onProgress: (progress: VideoProgress) => void,
  signal: AbortSignal,
): Promise<RenderResult> => {
  const plans = readPlans(files);
  const drawn = followDrawn(job.edits.drawn);
  const log = logShown(job.edits);
  const planner: FramePlanner<SettledFrame> = {
    async *frames(reader, run) {
      for await (const [frame, isLast] of withLast(decodedFrames(reader, run))) {
        const { regions } = await plans.of(frame);
        const [places] = await run.timed('follow', () => drawn.step(frame, isLast));
        log.add(frame);
        yield [{ frame, plan: async () => editFrame(frame, regions, places, job.options, job.edits) }];
      }
      await plans.end();
    },
  };
  const { muted } = job.edits;
  const output = muted ? { ...job, mutedRanges: muted } : job;
  const result = await redactVideo(output, files, planner, ports, onProgress, signal);
  return { ...result, followed: drawn.followed(), shown: log.shown() };
};
