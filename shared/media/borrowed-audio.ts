import { checkMp4 } from '../engine/formats/check-mp4';
import type { ByteSource, VideoLimits } from '../ports/video';
import { planAudio, type AudioTrack } from './audio-tracks';
import { openInput } from './open-input';
import { timelinesOf } from './timeline';

/** Audio tracks from another file than the video track. */
export interface BorrowedAudio {
  readonly tracks: readonly AudioTrack[];
  /** Closes the file; the tracks cannot be read afterwards. */
  close(): void;
}

/**
 * Opens the audio tracks of a converted file.
 *
 * @param source bytes of an MP4 file
 * @param count expected number of audio tracks
 * @throws Error where the number differs or MP4 cannot hold one of them: the converter wrote the file for this purpose
 */
export const borrowAudio = async (
  source: ByteSource,
  count: number,
  { maxVideoFrames }: VideoLimits,
): Promise<BorrowedAudio> => {
  const checked = await checkMp4(source, maxVideoFrames);
  const timeline = timelinesOf(checked.tracks);
  const input = openInput(checked.source);
  try {
    const planned = await Promise.all(
      (await input.getAudioTracks()).map((track) => planAudio(track, timeline(track))),
    );
    const tracks = planned.filter((track) => track !== undefined);
    if (tracks.length !== count || planned.length !== count) {
      throw new Error('the audio was not converted completely');
    }
    return { tracks, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
};
