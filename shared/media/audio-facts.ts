import type { InputAudioTrack } from 'mediabunny';
import type { VideoReader } from '../ports/video';
import { unmutableCodecs, type AudioTrack } from './audio-tracks';

/** One entry for each audio track; undefined: the track is dropped. */
export type PlannedAudio = readonly (AudioTrack | undefined)[];

type AudioFacts = Pick<
  VideoReader,
  | 'copiedAudioTracks'
  | 'reencodedAudioTracks'
  | 'droppedAudioTracks'
  | 'droppedAudioCodecs'
  | 'unmutableAudio'
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
  const unmutableAudio = await unmutableCodecs(kept);
  const dropped = audio.filter((_, index) => !planned[index]);
  const droppedAudioCodecs = await Promise.all(dropped.map(audioCodecName));
  return {
    copiedAudioTracks: kept.length - reencoded,
    reencodedAudioTracks: reencoded,
    droppedAudioTracks: planned.flatMap((track, index) => (track ? [] : [index])),
    ...(droppedAudioCodecs.length > 0 && { droppedAudioCodecs }),
    ...(unmutableAudio.length > 0 && { unmutableAudio }),
  };
};
