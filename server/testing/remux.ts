import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { bytesOf } from '#shared/media/silent-packets';

const FORMATS = {
  mp4: () => new Mp4OutputFormat(),
  mov: () => new MovOutputFormat(),
  mkv: () => new MkvOutputFormat(),
} as const;

/** A clip with the same packets and another configuration of the codec of its audio. */
export const remux = async (
  clip: Uint8Array,
  container: keyof typeof FORMATS,
  change: (config: Uint8Array) => Uint8Array,
): Promise<Uint8Array> => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const [videoConfig, audioConfig] = [await video?.getDecoderConfig(), await audio?.getDecoderConfig()];
  if (!video || !audio || !videoConfig || !audioConfig) throw new Error('the clip has no video or no audio');
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[container](), target });
  const images = new EncodedVideoPacketSource('avc');
  const sound = new EncodedAudioPacketSource((await audio.getCodec())!);
  output.addVideoTrack(images);
  output.addAudioTrack(sound);
  await output.start();
  for await (const packet of new EncodedPacketSink(video).packets()) {
    await images.add(packet, { decoderConfig: videoConfig });
  }
  const before = audioConfig.description ? bytesOf(audioConfig.description) : new Uint8Array();
  const decoderConfig = { ...audioConfig, description: Uint8Array.from(change(before)) };
  for await (const packet of new EncodedPacketSink(audio).packets()) {
    await sound.add(packet, { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};
