import { hides } from '../catalogue/methods';
import type {
  AnonymisedVideo,
  EngineMethods,
  VideoFiles,
  VideoJob,
  VideoProgressListener,
} from '../ports/engine';
import type { BagCodec, BagFrame, BagReader } from '../ports/bag';
import type { ImagePorts } from './anonymise-image';
import {
  createReporter,
  searchedFrames,
  settleFrame,
  type SearchedSource,
  type SearchedVideoFrame,
  type VideoPorts,
} from './anonymise-video';
import { FRAMES_AHEAD } from './follow-frames';
import { holdLuma } from './track/hold-luma';
import { usedModels } from './search/plan-search';
import { drawPlan } from './redact/draw-plan';
import { createStopwatch } from './runtime/stopwatch';
import { NO_AUDIO, startRun, type VideoRun } from './video/redact-video';
import { retryReads } from './video/video-source';
import { withTiling } from './video/video-tiling';

interface BagPorts extends Omit<VideoPorts, 'videoCodec'>, Pick<ImagePorts, 'codec'> {
  readonly bagCodec: Pick<BagCodec, 'open'>;
}

/** What was found in a frame, without its pixels: these are decoded again when it is written. */
type FoundInFrame = Omit<SearchedVideoFrame, 'frame' | 'unpark'> &
  Pick<SearchedVideoFrame['frame'], 'durationUs'>;

/** Memory for the luma of the frames of all topics that are held back. */
const HELD_BYTES = 128 * 1024 ** 2;

/** A topic that is searched as far as frames of it are asked for. */
interface SearchedTopic {
  readonly job: VideoJob;
  take(index: number): Promise<FoundInFrame>;
  close(): Promise<unknown>;
}

/** An opened bag that is worked on. */
interface BagWork {
  readonly job: VideoJob;
  readonly bag: BagReader;
  readonly ports: BagPorts;
  readonly run: VideoRun;
}

/** @param at number of the topic */
const searchTopic = ({ bag: { facts, frames }, job, ports, run }: BagWork, at: number): SearchedTopic => {
  const { width, height } = facts.topics[at]!;
  const sharers = facts.topics.length;
  const tiled = withTiling(job, { width, height });
  const source: SearchedSource = {
    ...{ width, height, memory: { maxBytes: HELD_BYTES / sharers, bytesPerPx: 1 } },
    // Topics take turns: each of them would hold decoded frames all the time.
    ahead: Math.max(1, Math.floor(FRAMES_AHEAD / sharers)),
    ...{ parking: holdLuma(), frames: (signal) => frames(at, signal) },
  };
  const searched = searchedFrames(tiled, ports, source, run);
  const waiting = new Map<number, FoundInFrame>();
  const numbered = ({ trackId, ...detection }: SearchedVideoFrame['detections'][number]) => ({
    ...detection,
    // One number for each track: those of the topics take turns.
    ...(trackId !== undefined && { trackId: trackId * sharers + at }),
  });
  return {
    job: tiled,
    take: async (index) => {
      while (!waiting.has(index)) {
        const { done, value } = await searched.next();
        if (done) throw new Error('A frame of a bag was not searched.');
        for (const { frame, detections, unpark: _unused, ...rest } of value) {
          const { durationUs } = frame;
          waiting.set(frame.index, { ...rest, durationUs, detections: detections.map(numbered) });
        }
      }
      const found = waiting.get(index)!;
      waiting.delete(index);
      return found;
    },
    close: () => searched.return(undefined),
  };
};

/** Redacts the frames of a bag one after another, each by its own plan, and reports them. */
const createHider = (
  { job, bag: { facts }, ports, run }: BagWork,
  topics: readonly SearchedTopic[],
  files: Pick<VideoFiles, 'report'>,
  onProgress: VideoProgressListener,
) => {
  const reporter = createReporter(job, files);
  const framesTotal = facts.topics.reduce((sum, { frames }) => sum + frames, 0);
  const pixels = Math.max(0, ...facts.topics.map(({ width, height }) => width * height));
  let written = 0;
  // Known before the first frame is searched: the time limit depends on it.
  if (framesTotal > 0) onProgress({ framesDone: 0, framesTotal, pixels });
  return {
    framesTotal,
    finish: reporter.finish,
    hide: async ({ topic: at, index, recordedUs: timestampUs, raster }: BagFrame): Promise<void> => {
      const topic = topics[at]!;
      const { durationUs, ...found } = await topic.take(index);
      const frame = { index: written, timestampUs, durationUs, raster };
      const settled = settleFrame(topic.job, ports, run, { ...found, frame, unpark: () => undefined });
      const plan = await settled.plan();
      const [, redactedInS] = await run.timed('redact', () => drawPlan(raster, plan));
      await reporter.onWritten({ ...settled, topic: facts.topics[at]!.name }, plan, redactedInS);
      written += 1;
      onProgress({ framesDone: written, framesTotal, pixels });
    },
  };
};

/**
 * Anonymises the image topics of a bag. Each of them is followed on its own, in the order of its stamps; the copy has
 * the order of the bag.
 *
 * Memory does not grow with the bag: pixels of a topic are held as for a video, and decoded again when they are written.
 *
 * @throws UnreadableFile where the file is to blame
 */
export const anonymiseBag = async (
  [job, files, onProgress, signal]: Parameters<EngineMethods['anonymiseVideo']>,
  ports: BagPorts,
): Promise<AnonymisedVideo> => {
  const { system, codec, sessions } = ports;
  const started = system.elapsedMs();
  const busyBefore = sessions.busyMs();
  const watch = createStopwatch(system);
  const run = startRun(system, watch, signal);
  const request = { options: job.bag!, limits: job.limits, codec };
  const bag = await ports.bagCodec.open(retryReads(files.source), request, run.signal);
  const work = { job, bag, ports, run };
  const topics = bag.facts.topics.map((_, at) => searchTopic(work, at));
  const { hide, finish, framesTotal } = createHider(work, topics, files, onProgress);
  try {
    await bag.copy(hides(job.options.method) ? files.target : undefined, hide, run.signal);
    await finish();
  } catch (error) {
    run.stop(error);
    throw error;
  } finally {
    await Promise.allSettled(topics.map((topic) => topic.close()));
    bag.close();
  }
  const { width = 0, height = 0 } = bag.facts.topics[0] ?? {};
  return {
    ...{
      width,
      height,
      frameCount: framesTotal,
      lostFrames: bag.facts.lostFrames,
      ...NO_AUDIO,
      bag: bag.facts,
    },
    durationS: (system.elapsedMs() - started) / 1000,
    models: usedModels(ports.manifest, job.options),
    timings: { ...watch.timings, models: sessions.busyMs() - busyBefore },
  };
};
