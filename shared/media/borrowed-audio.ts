import { checkMp4 } from '../engine/formats/check-mp4';
import type { ByteSource, VideoLimits } from '../ports/video';
import { planAudio, type AudioTrack } from './audio-tracks';
import { openInput } from './open-input';
import { timelinesOf } from './timeline';

/** Audio tracks of another file than the pictures are from. */
export interface BorrowedAudio {
  readonly tracks: readonly AudioTrack[];
  /** Once nothing more is read of them. */
  close(): void;
}

/**
 * @param source of an MP4 file
 * @param count of its audio tracks
 * @throws where it has others, or MP4 cannot hold them: it was made to be copied from
 */
export const borrowAudio = async (
  source: ByteSource,
  count: number,
  { maxVideoFrames }: VideoLimits,
): Promise<BorrowedAudio> => {
  const timeline = timelinesOf(await checkMp4(source, maxVideoFrames));
  const input = openInput(source);
  try {
    const planned = await Promise.all(
      (await input.getAudioTracks()).map((track) => planAudio(track, timeline(track))),
    );
    const tracks = planned.filter((track) => track !== undefined);
    if (tracks.length !== count || planned.length !== count) throw new Error('audio was not converted whole');
    return { tracks, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
};
