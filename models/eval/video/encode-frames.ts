import { BufferTarget, Mp4OutputFormat, Output, Quality, VideoSample, VideoSampleSource } from 'mediabunny';
import type { Raster } from '#shared/domain/raster';
import { installWebCodecs, loadWebCodecs } from '../../../server/adapters/video-backend';

/** Of a usual clip of a phone, in bits per second. */
const BIT_RATE = 4_000_000;

/** Encodes frames of one size as a video without sound. */
export const encodeFrames = async (frames: readonly Raster[], frameSeconds: number): Promise<Uint8Array> => {
  installWebCodecs(await loadWebCodecs());
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const video = new VideoSampleSource({ codec: 'avc', quality: new Quality({ bitrate: BIT_RATE }) });
  output.addVideoTrack(video);
  await output.start();
  for (const [index, { width, height, data }] of frames.entries()) {
    using sample = new VideoSample(Uint8Array.from(data), {
      format: 'RGBA',
      codedWidth: width,
      codedHeight: height,
      timestamp: index * frameSeconds,
      duration: frameSeconds,
    });
    await video.add(sample);
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};
