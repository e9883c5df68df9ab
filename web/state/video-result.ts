import type { ApiClient } from '#shared/api/client';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { MediaResult } from './media-item';
import type { VideoEdits } from '#shared/domain/video-edits';
import { NO_VIDEO_EDITS } from './video-edits';
import { createTrackGatherer } from './video-tracks';

/** Number of frames per metadata request. */
const FRAMES_AT_ONCE = 500;

const secondsBetween = (from: string | null, to: string | null): number =>
  from !== null && to !== null ? (Date.parse(to) - Date.parse(from)) / 1000 : 0;

/** Reads the detections of a video's frames in chunks. */
export async function* videoFrames(
  client: ApiClient<File>,
  id: string,
  frameCount: number,
): AsyncGenerator<{ readonly frames: VideoMetadata }> {
  for (let first = 0; first < frameCount; first += FRAMES_AT_ONCE) {
    const last = Math.min(first + FRAMES_AT_ONCE, frameCount) - 1;
    // The API has no last frame 0: without the parameter, the last frame of the video applies.
    const frames = await client.videoMetadata(id, {
      timestamps: true,
      start_frame: first,
      ...(last > 0 && { end_frame: last }),
    });
    yield { frames };
  }
}

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
  made: VideoEdits = NO_VIDEO_EDITS,
): Promise<MediaResult> => {
  const frameCount = frames_total ?? 0;
  const tracks = createTrackGatherer();
  let size: readonly [number, number] = [0, 0];
  for await (const { frames } of videoFrames(client, id, frameCount)) {
    tracks.add(frames);
    size = frames[0]?.size ?? size;
  }
  return {
    taskId: id,
    width: size[0],
    height: size[1],
    objects: tracks.objects(),
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
    },
  };
};
