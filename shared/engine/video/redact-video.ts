import { soundProjection } from '../../domain/projection';
import { hides } from '../../catalogue/methods';
import { keptFacts, keptUntil, type KeptInVideo } from '../../domain/kept-in-video';
import type { MediaFiles, VideoJob, VideoOutput, VideoProgress, VideoResult } from '../../ports/engine';
import type { BasicSystem } from '../../ports/system';
import type { ByteSource, VideoCodec, VideoFrame, VideoReader, VideoWriter } from '../../ports/video';
import { US_PER_SECOND, type RedactionPlan, type TimeRange } from '../../domain/plan';
import { drawPlan } from '../redact/draw-plan';
import { createStopwatch, type Stopwatch } from '../runtime/stopwatch';
import { openDirectly, retryReads } from './video-source';

export interface RedactVideoPorts {
  readonly system: BasicSystem;
  readonly videoCodec: VideoCodec;
}

/** The context that all steps of one video share. */
export interface VideoRun {
  /** Aborted by the caller, or by the step that fails first. */
  readonly signal: AbortSignal;
  /** Aborts all steps with a reason. */
  readonly stop: (reason: unknown) => void;
  /** Runs and times a step. @returns its value and its duration in seconds */
  readonly timed: <T>(step: string, work: () => Promise<T> | T) => Promise<[T, number]>;
}

/** A decoded frame that is ready to be planned, redacted and written. */
export interface SettledFrame {
  readonly frame: VideoFrame;
  /** Makes the frame's plan; called once, while the frame before is written. */
  plan(): Promise<RedactionPlan>;
}

/** The source of each frame's plan: the only difference between the ways to redact a video. */
export interface FramePlanner<Settled extends SettledFrame> {
  /** All frames in order, in groups; each frame once. */
  frames(reader: VideoReader, run: VideoRun): AsyncIterable<readonly Settled[]>;
  /** Called after a frame was written. */
  onWritten?(settled: Settled, plan: RedactionPlan, redactedInS: number): Promise<void>;
  /** Called after the last frame. */
  finish?(): Promise<void>;
}

/** What is made of a video: a redacted copy, or only plans of a part of it. */
type Output = VideoOutput & Pick<VideoJob, 'analysis' | 'isOnlyPlanned'>;

/** The part of a video that is processed; undefined: all of it. */
export const processedRange = ({
  analysis,
  preview,
}: Pick<VideoJob, 'analysis' | 'preview'>): TimeRange | undefined =>
  analysis ?? (preview === undefined ? undefined : { fromUs: 0, untilUs: preview * US_PER_SECOND });

/** One video: what is made of it, its files, and what decides about its frames. */
interface VideoWork<Settled extends SettledFrame> {
  readonly output: Output;
  readonly files: MediaFiles;
  readonly planner: FramePlanner<Settled>;
  readonly onProgress: (progress: VideoProgress) => void;
}

/** Iterates over the frames of a reader, and times their decoding. @param range undefined: all frames */
export async function* decodedFrames(
  reader: Pick<VideoReader, 'frames'>,
  run: VideoRun,
  range?: TimeRange,
): AsyncGenerator<VideoFrame> {
  const frames = reader.frames(run.signal, range)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const [{ done, value }] = await run.timed('decode', () => frames.next());
      // Readers of converted videos ignore the range.
      if (done || (range && value.timestampUs >= range.untilUs)) return;
      yield value;
    }
  } finally {
    await frames.return?.();
  }
}

/** Redacts and writes settled frames in order, while the next frame is planned and later ones are decoded. */
const createSettler = <Settled extends SettledFrame>(
  run: VideoRun,
  settle: (settled: Settled, plan: RedactionPlan) => Promise<void>,
): { add(frames: readonly Settled[]): Promise<void>; end(): Promise<void> } => {
  let planning: Promise<unknown> = Promise.resolve();
  const planNext = (frame: Settled): Promise<RedactionPlan> => {
    run.signal.throwIfAborted();
    const plan = frame.plan();
    planning = plan.catch(() => undefined); // reported by the await of the plan
    return plan;
  };
  const settleAll = async (frames: readonly Settled[], first: Promise<RedactionPlan>): Promise<void> => {
    let next = first;
    for (const [i, frame] of frames.entries()) {
      run.signal.throwIfAborted();
      const plan = await next;
      const following = frames[i + 1];
      if (following) next = planNext(following);
      await settle(frame, plan);
    }
  };
  let settling = Promise.resolve();
  return {
    add: async (frames) => {
      const [first] = frames;
      if (!first) return;
      await planning; // one plan at a time
      const plan = planNext(first);
      await settling; // the group before, so that memory stays bounded
      settling = settleAll(frames, plan);
      settling.catch(run.stop);
    },
    end: async () => {
      await planning;
      await settling;
    },
  };
};

/** Number of frames to expect, at least. */
const expectedFrames = ({ frameCount, frameDurationUs }: VideoReader, output: Output): number => {
  const part = processedRange(output);
  return part ? Math.min(frameCount, Math.ceil((part.untilUs - part.fromUs) / frameDurationUs)) : frameCount;
};

/** The only place where frames are written: each is redacted by its own plan. @returns the number of frames */
const writeFrames = async <Settled extends SettledFrame>(
  reader: VideoReader,
  writer: VideoWriter | undefined,
  { output, planner, onProgress }: VideoWork<Settled>,
  run: VideoRun,
): Promise<number> => {
  const redactTimed = async ({ frame }: Settled, plan: RedactionPlan): Promise<number> => {
    if (output.analysis || output.isOnlyPlanned) return 0; // nothing is written
    const [, seconds] = await run.timed('redact', () => drawPlan(frame.raster, plan));
    return seconds;
  };
  const framesExpected = expectedFrames(reader, output);
  let written = 0;
  const settling = createSettler<Settled>(run, async (settled, plan) => {
    const redactedInS = await redactTimed(settled, plan);
    await run.timed('encode', () => writer?.add(settled.frame));
    await planner.onWritten?.(settled, plan, redactedInS);
    reader.release?.(settled.frame);
    written++;
    const framesTotal = Math.max(written, framesExpected);
    onProgress({ framesDone: written, framesTotal, pixels: reader.width * reader.height });
  });
  try {
    for await (const settled of planner.frames(reader, run)) {
      run.signal.throwIfAborted();
      await settling.add(settled);
    }
    await settling.end();
  } catch (error) {
    run.stop(error);
    await settling.end().catch(() => undefined); // waits, so that nothing is written after the writer is cancelled
    throw error;
  }
  return written;
};

const isWritten = ({ options, analysis, isOnlyPlanned }: Output): boolean =>
  hides(options.method) && !analysis && !isOnlyPlanned;

/** What stays of the source's metadata; undefined where nothing was asked for, or nothing is written. */
const readKept = async (
  source: ByteSource,
  output: Output,
  { endUs }: VideoReader,
  signal: AbortSignal,
): Promise<KeptInVideo | undefined> => {
  if (!output.keepMetadata || !isWritten(output)) return undefined;
  // Loaded only where it is asked for: most results have no metadata.
  const { readKeptInVideo } = await import('../formats/keep-in-video');
  const endSeconds = Math.min(endUs / US_PER_SECOND, output.preview ?? Infinity);
  return keptUntil(await readKeptInVideo(source, signal), endSeconds);
};

const writeVideo = async <Settled extends SettledFrame>(
  reader: VideoReader,
  work: VideoWork<Settled>,
  run: VideoRun,
  kept: KeptInVideo | undefined,
): Promise<Pick<VideoResult, 'frameCount' | 'encodedAudio'>> => {
  const { output, files, planner } = work;
  const { keepBitRate, audio, mutedRanges, preview } = output;
  const isSphere = soundProjection({ ...reader, projection: reader.found?.projection }) === 'sphere';
  const writing = {
    ...{ keepBitRate, mutesAudio: audio === 'mute', ...(mutedRanges && { mutedRanges }) },
    ...{ ...(isSphere && { isSphere }), ...(kept && { kept }) },
    ...(preview !== undefined && { untilUs: preview * US_PER_SECOND }),
  };
  const writer = isWritten(output) ? await reader.createWriter(files.target, writing) : undefined;
  try {
    const frameCount = await writeFrames(reader, writer, work, run);
    await planner.finish?.();
    await run.timed('encode', () => writer?.finish());
    return { frameCount, ...(writer?.encodedAudio && { encodedAudio: writer.encodedAudio }) };
  } catch (error) {
    await writer?.cancel().catch(() => undefined); // the first error is the cause
    throw error;
  }
};

export const startRun = (system: BasicSystem, watch: Stopwatch, signal: AbortSignal): VideoRun => {
  const stopped = new AbortController();
  return {
    signal: AbortSignal.any([signal, stopped.signal]),
    stop: (reason) => stopped.abort(reason),
    timed: async (step, work) => {
      const started = system.elapsedMs();
      const value = await watch.time(step, work);
      return [value, (system.elapsedMs() - started) / 1000];
    },
  };
};

/** Of audio that was muted, or that cannot be, no track is missing. */
export const NO_AUDIO = { audioTracks: 0, reencodedAudioTracks: 0, droppedAudioTracks: 0 } as const;

const audioOf = ({
  copiedAudioTracks,
  reencodedAudioTracks,
  droppedAudioTracks,
  droppedAudioCodecs,
  unmutableAudio,
  unbleepableAudio,
}: VideoReader) => ({
  audioTracks: copiedAudioTracks + reencodedAudioTracks,
  reencodedAudioTracks,
  droppedAudioTracks: droppedAudioTracks.length,
  ...(droppedAudioCodecs && { droppedAudioCodecs }),
  ...(unmutableAudio && { unmutableAudio }),
  ...(unbleepableAudio && { unbleepableAudio }),
});

/**
 * Redacts one video: demux → decode → upright → plan → redact → encode → mux.
 *
 * Frames are decoded, planned and written concurrently, each step in order. If one step fails, the whole video fails:
 * no result is better than a result with a frame that was not redacted.
 *
 * @throws UnreadableFile if the file is invalid or not supported
 */
export const redactVideo = async <Settled extends SettledFrame>(
  work: VideoWork<Settled>,
  { system, videoCodec }: RedactVideoPorts,
  signal: AbortSignal,
): Promise<VideoResult> => {
  const { output, files, onProgress } = work;
  signal.throwIfAborted();
  const started = system.elapsedMs();
  const watch = createStopwatch(system);
  let conversion: Pick<VideoProgress, 'converted'> = {};
  const onConverting = (converted: number): void => {
    conversion = { converted };
    onProgress({ framesDone: 0, framesTotal: 1, converted });
  };
  const source = retryReads(files.source);
  const reader = output.analysis
    ? await openDirectly(videoCodec, source, output.limits, signal)
    : await videoCodec.open(source, output.limits, signal, onConverting);
  if (conversion.converted !== undefined) onConverting(1);
  const onFrame = (progress: VideoProgress): void => onProgress({ ...progress, ...conversion });
  try {
    const run = startRun(system, watch, signal);
    const kept = await readKept(source, output, reader, run.signal);
    const written = await writeVideo(reader, { ...work, onProgress: onFrame }, run, kept);
    const { width, height } = reader;
    const toneMapped = reader.toneMapped?.();
    return {
      width,
      height,
      ...written,
      lostFrames: reader.lostFrames(),
      ...(reader.isLossUncertain?.() && { isLossUncertain: true }),
      ...(output.audio === 'mute' ? NO_AUDIO : audioOf(reader)),
      ...(toneMapped && { toneMapped }),
      durationS: (system.elapsedMs() - started) / 1000,
      ...{ ...(reader.found && { found: reader.found }), ...(kept && { kept: keptFacts(kept) }) },
      timings: watch.timings,
    };
  } finally {
    reader.close();
    await reader.discard?.();
  }
};
