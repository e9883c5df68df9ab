import type { ApiClient } from '#shared/api/client';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { NO_SUBJECT } from '#shared/domain/subject';
import type { MediaResult, VideoFacts } from './media-item';
import { createSampleGatherer } from './subjects/gather-samples';
import { createSpanGatherer } from './subjects/gather-spans';
import { NO_ITEM_EDITS } from './edit-history';
import type { VideoEdits } from './video-edits';
import { videoFrames } from './video-frames';
import { createTrackGatherer } from './video-tracks';

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
  {
    id,
    frames_total,
    frames_lost,
    frames_lost_uncertain,
    audio_tracks_reencoded,
    audio_tracks_dropped,
    audio,
    started_at,
    finished_at,
  }: TaskResponse,
  hasPicture: boolean,
  made: VideoEdits = NO_ITEM_EDITS,
): Promise<MediaResult> => {
  const frameCount = frames_total ?? 0;
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
    durationS: secondsBetween(started_at, finished_at),
    hasPicture,
    video: {
      frameCount,
      framesLost: frames_lost ?? 0,
      isLossUncertain: frames_lost_uncertain ?? false,
      audioTracksReencoded: audio_tracks_reencoded ?? 0,
      audioTracksDropped: audio_tracks_dropped ?? 0,
      hasAudio: audio !== 'mute',
      made,
      followed: [],
      ...(hasPicture && (await shownSpans(client, id, frameCount, made))),
    },
  };
};
