import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  Output,
} from 'mediabunny';

/** The images of a file in a new one, without sound. @param change gets each coded image, and its number from 0 */
export const withSamples = async (
  clip: Uint8Array,
  change: (sample: Uint8Array, index: number) => Uint8Array,
): Promise<Uint8Array> => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const track = (await input.getPrimaryVideoTrack())!;
  const decoderConfig = (await track.getDecoderConfig())!;
  const target = new BufferTarget();
  const output = new Output({ format: new MovOutputFormat(), target });
  const source = new EncodedVideoPacketSource((await track.getCodec())!);
  output.addVideoTrack(source);
  await output.start();
  let index = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await source.add(packet.clone({ data: change(packet.data, index++) }), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};
