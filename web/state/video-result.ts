import type { ApiClient } from '#shared/api/client';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { NO_SUBJECT } from '#shared/domain/subject';
import type { MediaResult, VideoFacts, ShownSpan } from './media-item';
import { createSampleGatherer, createTrackGatherer } from './video-tracks';
import { NO_ITEM_EDITS, editOf } from './edit-history';
import { type VideoEdits, showsTrack } from './video-edits';
import { videoFrames, statedProjection } from './result-files';
import type { FrameMetadata } from '#shared/api/contract/schemas-results';

/** Whether a user decides in which frames the track is visible: the person who stays visible has no effect on it. */
const isByHand = (edits: VideoEdits, id: number): boolean => {
  const edit = editOf(edits, id);
  return edit !== undefined && showsTrack(edit);
};

/** Records when tracks are visible because of the person who stays visible: the face, and the body that belongs to it. */
interface SpanGatherer {
  /** @param frames with timestamps, in order */
  add(frames: readonly FrameMetadata[]): void;
  /** By track and time. */
  spans(): readonly ShownSpan[];
}

/** @param edits that the result shows */
export const createSpanGatherer = (edits: VideoEdits): SpanGatherer => {
  const ended: ShownSpan[] = [];
  const open = new Map<number, number>();
  let [lastS, frameS] = [0, 0];
  const end = (trackId: number, untilS: number): void => {
    ended.push({ trackId, fromS: open.get(trackId) ?? 0, untilS });
    open.delete(trackId);
  };
  const addFrame = ({ detections, timestamp: atS = 0 }: FrameMetadata): void => {
    const visible = new Set(
      detections.flatMap(({ track_id: id, is_anonymised: isHidden }) =>
        id === undefined || isHidden || isByHand(edits, id) ? [] : [id],
      ),
    );
    for (const id of [...open.keys()]) if (!visible.has(id)) end(id, atS);
    for (const id of visible) if (!open.has(id)) open.set(id, atS);
    [lastS, frameS] = [atS, atS - lastS];
  };
  return {
    add: (frames) => frames.forEach(addFrame),
    spans: () => {
      // The last frame is as long as the one before it.
      for (const id of [...open.keys()]) end(id, lastS + frameS);
      return ended.toSorted((a, b) => a.trackId - b.trackId || a.fromS - b.fromS);
    },
  };
};

const secondsBetween = (from: string | null, to: string | null): number =>
  from !== null && to !== null ? (Date.parse(to) - Date.parse(from)) / 1000 : 0;

/** When tracks are visible because of the person whom edits name. They are not read if the edits name nobody. */
export const shownSpans = async (
  client: ApiClient<File>,
  id: string,
  frameCount: number,
  edits: VideoEdits,
): Promise<Pick<VideoFacts, 'shown'>> => {
  if ((edits.show ?? NO_SUBJECT) === NO_SUBJECT) return {};
  const gatherer = createSpanGatherer(edits);
  for await (const { frames } of videoFrames(client, id, frameCount)) gatherer.add(frames);
  const shown = gatherer.spans();
  return shown.length > 0 ? { shown } : {};
};

/** Reads the result of a video whose task is done. @param made edits that the result shows */
export const videoResult = async (
  client: ApiClient<File>,
  task: TaskResponse,
  hasImage: boolean,
  appliedEdits: VideoEdits = NO_ITEM_EDITS,
): Promise<MediaResult> => {
  const { id } = task;
  const frameCount = task.frames_total ?? 0;
  const tracks = createTrackGatherer();
  const samples = createSampleGatherer();
  let size: readonly [number, number] = [0, 0];
  for await (const { frames } of videoFrames(client, id, frameCount)) {
    tracks.add(frames);
    samples.add(frames);
    size = frames[0]?.size ?? size;
  }
  return {
    taskId: id,
    width: size[0],
    height: size[1],
    objects: tracks.objects().map((object) => {
      const own = samples.samplesOf(object.id);
      return object.seen && own ? { ...object, seen: { ...object.seen, samples: own } } : object;
    }),
    ...statedProjection(task),
    durationS: secondsBetween(task.started_at, task.finished_at),
    hasImage,
    video: {
      frameCount,
      framesLost: task.frames_lost ?? 0,
      isLossUncertain: task.frames_lost_uncertain ?? false,
      audioTracksReencoded: task.audio_tracks_reencoded ?? 0,
      audioTracksDropped: task.audio_tracks_dropped ?? 0,
      ...(task.tone_mapped && { toneMapped: task.tone_mapped }),
      hasAudio: task.audio !== 'mute',
      appliedEdits,
      followed: [],
      ...(hasImage && (await shownSpans(client, id, frameCount, appliedEdits))),
    },
  };
};
