import type { ApiClient } from '#shared/api/client';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';

/** Number of frames per metadata request. */
const FRAMES_AT_ONCE = 500;

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
