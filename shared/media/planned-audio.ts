import type { InputAudioTrack } from 'mediabunny';
import { checkMp4 } from '../engine/formats/check-mp4';
import type { ByteSource, VideoLimits, VideoReader } from '../ports/video';
import { planAudio, unmutableCodecs, type AudioTrack } from './audio-tracks';
import { openInput } from './open-input';
import { timelinesOf } from './timeline';

/** One entry for each audio track; undefined: the track is dropped. */
export type PlannedAudio = readonly (AudioTrack | undefined)[];

type AudioFacts = Pick<
  VideoReader,
  | 'copiedAudioTracks'
  | 'reencodedAudioTracks'
  | 'droppedAudioTracks'
  | 'droppedAudioCodecs'
  | 'unmutableAudio'
  | 'unbleepableAudio'
>;

/** Longer than all ids of known codecs (Matroska's are the longest). A file may claim one of any length. */
const MAX_CODEC_CHARS = 40;

/**
 * The codec of a track for people: the demuxer's name, or else the id in the container.
 *
 * A container's id is text of a stranger's file that ends up in reports and terminals: only printable ASCII is kept.
 *
 * @returns `unknown` where nothing is known
 */
export const audioCodecName = async (
  track: Pick<InputAudioTrack, 'getCodec' | 'getInternalCodecId'>,
): Promise<string> => {
  const codec = await track.getCodec();
  if (codec !== null) return codec;
  const id = await track.getInternalCodecId();
  const text = typeof id === 'string' ? id.replace(/[^ -~]/g, '').trim() : '';
  return text.slice(0, MAX_CODEC_CHARS).trimEnd() || 'unknown';
};

/** What becomes of the audio. @param audio the tracks of the source, each of which has an entry in `planned` */
export const audioFacts = async (
  planned: PlannedAudio,
  audio: readonly InputAudioTrack[],
): Promise<AudioFacts> => {
  const kept = planned.filter((track) => track !== undefined);
  const reencoded = kept.filter(({ encoding }) => encoding !== undefined).length;
  const unmutableAudio = await unmutableCodecs(kept, 'silence');
  const unbleepableAudio = await unmutableCodecs(kept, 'bleep');
  const dropped = audio.filter((_, index) => !planned[index]);
  const droppedAudioCodecs = await Promise.all(dropped.map(audioCodecName));
  return {
    copiedAudioTracks: kept.length - reencoded,
    reencodedAudioTracks: reencoded,
    droppedAudioTracks: planned.flatMap((track, index) => (track ? [] : [index])),
    ...(droppedAudioCodecs.length > 0 && { droppedAudioCodecs }),
    ...(unmutableAudio.length > 0 && { unmutableAudio }),
    ...(unbleepableAudio.length > 0 && { unbleepableAudio }),
  };
};

/**
 * Opens the audio tracks of a converted file.
 *
 * @param source bytes of an MP4 file
 * @param count expected number of audio tracks
 * @throws Error where the number differs or MP4 cannot hold one of them: the converter wrote the file for this purpose
 */
export const borrowAudio = async (source: ByteSource, count: number, { maxVideoFrames }: VideoLimits) => {
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
    // The tracks cannot be read after this.
    return { tracks, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
};
