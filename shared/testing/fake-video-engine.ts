import type { HdrTransfer } from '../domain/hdr';
import type { FoundInVideo, MetadataKind } from '../domain/image-header';
import type { Projection } from '../domain/projection';
import { damagedVideo, UnreadableFile } from '../domain/failure';
import type { KeptFacts } from '../domain/kept-in-video';
import { isDetected, type FramePlan, type FrameReport } from '../domain/plan';
import type { EngineMethods, RenderJob, VideoFiles, VideoJob, VideoOutput } from '../ports/engine';
import type { Engine, VideoSupport } from '../ports/host-engine';
import { withVideoDetections } from '../engine/host-engine';
import { planAreas, withAreas } from '../engine/edits/hidden-areas';
import { reportPlan } from '../engine/redact/report';
import { isKeptHidden, isShown } from '../engine/edits/edit-range';
import { createFakeEngine, FAKE_MODEL, FAKE_SUBJECT } from './fake-engine';
import { RAMP_MP4 } from './video-files';

export interface FakeVideo {
  readonly frameCount: number;
  /** When its frames begin, in µs; if absent, every 40 ms. */
  readonly times?: readonly number[];
  /** Called during processing. */
  readonly during?: (job: VideoJob, signal: AbortSignal) => Promise<void>;
  readonly unreadable?: string;
  /** Codecs of audio that cannot be muted in parts. */
  readonly unmutableAudio?: readonly string[];
  /** Codecs of audio tracks that are missing in the result. */
  readonly droppedAudioCodecs?: readonly string[];
  /** Transfer of a video in high dynamic range. */
  readonly toneMapped?: HdrTransfer;
  readonly projection?: Projection;
  /** Kinds of metadata in the source; absent: none. */
  readonly sourceMetadata?: readonly MetadataKind[];
  /** What results keep of it on request. */
  readonly kept?: KeptFacts;
  /** Called while edits are rendered. */
  readonly duringEdits?: (job: RenderJob) => void;
}

/** The result of every video: a small valid one. */
export const FAKE_RESULT = RAMP_MP4;

const RESULT = {
  width: 64,
  height: 48,
  lostFrames: 0,
  audioTracks: 0,
  reencodedAudioTracks: 0,
  droppedAudioTracks: 0,
  durationS: 1,
  found: { sourceMetadata: [], sourceTracks: { video: 1, audio: 0, subtitles: 0, data: 0 } },
  timings: {},
} as const;

const FRAME_US = 40_000;

/** What is said of the metadata of a source. */
const metadataIn = (
  { sourceMetadata = [], kept, projection }: FakeVideo,
  { keepMetadata = false }: VideoOutput,
): { readonly found: FoundInVideo; readonly kept?: KeptFacts } => ({
  found: { ...RESULT.found, sourceMetadata, ...(projection && { projection }) },
  ...(keepMetadata && kept && { kept }),
});

type VideoMethodName = 'anonymiseVideo' | 'surveyVideo' | 'matchTracks' | 'renderVideo';

/** Tracks that edits show, and those of the subject that they do not hide. */
const shownIn = ({ shownTracks = [], edits: { objects = [] } }: RenderJob): readonly number[] => {
  const kept = new Set(objects.filter(isKeptHidden).map(({ id }) => id));
  return [
    ...objects.filter((edit) => isShown(edit, { timestampUs: 0, durationUs: 0 })).map(({ id }) => id),
    ...shownTracks.map(({ trackId }) => trackId).filter((trackId) => !kept.has(trackId)),
  ];
};

/** Smaller files are refused as damaged: tests send only the beginnings of videos. */
const MIN_VIDEO_BYTES = 200;

/** Times of the frames that a job asks for. */
const timesOf = ({ frameCount, times }: FakeVideo, { analysis }: VideoJob): readonly number[] =>
  (times ?? Array.from({ length: frameCount }, (_, index) => index * FRAME_US)).filter(
    (time) => !analysis || (time >= analysis.fromUs && time < analysis.untilUs),
  );

const frameOf = (
  index: number,
  timestampUs: number,
  isAnonymised: boolean,
  isTracked: boolean,
): FrameReport => ({
  index,
  timestampUs,
  width: 64,
  height: 48,
  durationS: 0.1,
  detections: [
    {
      id: 0,
      objectClass: 'face',
      score: 0.9,
      box: { x1: 1, y1: 2, x2: 11, y2: 12 },
      isAnonymised,
      color: [0, 1, 32],
      ...(isTracked ? { trackId: 7 } : {}),
    },
  ],
});

/** The frames of a part, with the objects that are given for them. @param given undefined: they are searched */
const withGiven = async (
  frames: readonly FrameReport[],
  part: number,
  given: VideoFiles['given'],
): Promise<readonly FrameReport[]> => {
  const listed = await given?.(part);
  return frames.map((frame, i) => ({
    ...frame,
    ...(listed && {
      detections: (listed[i] ?? []).map(({ objectClass, score, box, trackId }, id) => ({
        ...frame.detections[0]!,
        ...{ id, objectClass, score, box, ...(trackId !== undefined && { trackId }) },
      })),
    }),
  }));
};

/** The report with the areas that the request hides. */
const withAreasOf = ({ options }: VideoJob, frame: FrameReport): FrameReport => {
  const { width, height, timestampUs, detections } = frame;
  const { method, ignores, debug, score } = options;
  const bare = { width, height, method, regions: [], ignores, debug, score };
  const plan = withAreas(bare, planAreas(options, frame), { timestampUs, durationUs: FRAME_US });
  const areas = reportPlan(plan, 0).detections.map((one, i) => ({ ...one, id: detections.length + i }));
  return { ...frame, detections: [...detections, ...areas] };
};

const emptyPlan = ({ index, timestampUs }: FrameReport): FramePlan => ({ index, timestampUs, regions: [] });

/** The plan that a report is that of. */
const planOf = ({ index, timestampUs, detections }: FrameReport): FramePlan => ({
  index,
  timestampUs,
  regions: detections.filter(isDetected).map(({ id, objectClass, score, box, trackId }) => ({
    ...{ id, detection: { objectClass, score, box }, shape: { kind: 'box', box }, featherPx: 0, cellPx: 4 },
    ...(trackId !== undefined && { trackId }),
  })),
});

const modelsOf = ({ given }: VideoJob): (typeof FAKE_MODEL)[] => (given ? [] : [FAKE_MODEL]);

/**
 * An engine that detects a face in every frame of every video, and always writes the same result.
 *
 * @param images engine for everything else
 */
export const createFakeVideoEngine = (video: FakeVideo, images: Engine = createFakeEngine()): Engine => {
  const methods = createFakeVideoMethods(video);
  return { ...images, ...methods, ...withVideoDetections(methods) };
};

/** The methods for videos of such an engine. */
export const createFakeVideoMethods = (
  video: FakeVideo,
): Pick<EngineMethods, VideoMethodName> & Pick<VideoSupport, 'takesVideo'> => {
  const { frameCount, during, unreadable, unmutableAudio, droppedAudioCodecs, duringEdits, toneMapped } =
    video;
  return {
    takesVideo: true,
    anonymiseVideo: async (job, { source, target, report, given }, onProgress, signal) => {
      await source.read(0, source.sizeBytes);
      if (source.sizeBytes < MIN_VIDEO_BYTES) throw damagedVideo();
      const isHidden = job.options.method !== 'detect';
      if (isHidden && !job.analysis && !job.isOnlyPlanned) await target.write(0, FAKE_RESULT);
      const times = timesOf(video, job);
      for (let first = 0; first < times.length; first += job.framesPerReport) {
        const some = times.slice(first, first + job.framesPerReport);
        const frames = some.map((timestampUs, i) =>
          frameOf(first + i, timestampUs, isHidden, !job.noObjectTracking),
        );
        const found = await withGiven(frames, first / job.framesPerReport, given);
        const reports = found.map((frame) => withAreasOf(job, frame));
        await report(reports, reports.map(job.analysis ? emptyPlan : planOf));
      }
      onProgress({ framesDone: Math.floor(frameCount / 2), framesTotal: frameCount });
      await during?.(job, signal);
      signal.throwIfAborted();
      if (unreadable !== undefined) throw new UnreadableFile(unreadable);
      onProgress({ framesDone: frameCount, framesTotal: frameCount });
      return {
        ...RESULT,
        ...metadataIn(video, job),
        frameCount,
        models: modelsOf(job),
        ...(unmutableAudio && { unmutableAudio }),
        ...(toneMapped && { toneMapped }),
        ...(droppedAudioCodecs && { droppedAudioTracks: droppedAudioCodecs.length, droppedAudioCodecs }),
      };
    },
    surveyVideo: async () => ({
      ...{ frameCount, width: 64, height: 48, pixels: 64 * 48 },
      endUs: frameCount * FRAME_US,
    }),
    matchTracks: async ({ samples }, { plans }) => {
      await plans(0);
      const untilUs = frameCount * FRAME_US;
      const isHere = samples.some(([first]) => first === FAKE_SUBJECT);
      return isHere ? [{ trackId: 7, confidence: 0.9, ranges: [{ fromUs: 0, untilUs }] }] : [];
    },
    renderVideo: async (job, { target, plans }, onProgress) => {
      const { areas = [] } = job.edits;
      duringEdits?.(job);
      for (let part = 0; await plans(part); part += 1) {
        onProgress({ framesDone: part, framesTotal: frameCount });
      }
      await target.write(0, FAKE_RESULT);
      const lastFrame = frameCount - 1;
      return {
        ...RESULT,
        ...metadataIn(video, job),
        frameCount,
        followed: areas.map(({ at = 0 }, area) => ({ area, from: at, seen_until: at, until: at })),
        shown: shownIn(job).map((trackId) => ({
          trackId,
          firstFrame: 0,
          lastFrame,
        })),
      };
    },
  };
};
