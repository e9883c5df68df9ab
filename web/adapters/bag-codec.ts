import { createBagCodec } from '#shared/media/mcap/bag-codec';
import type { BagCodec } from '#shared/ports/bag';
import { loadZstd } from './bag-zstd';

/** Any size: encoders are asked again for that of a topic. */
const H264 = { codec: 'avc1.640028', width: 640, height: 480, avc: { format: 'annexb' } } as const;

const codesVideo = async (): Promise<boolean> =>
  'VideoDecoder' in globalThis &&
  'VideoEncoder' in globalThis &&
  (await VideoEncoder.isConfigSupported(H264)).supported === true;

/** Reads and writes bags. Loaded with the first one, because few visits have one. */
export const openBagCodec = async (): Promise<BagCodec> =>
  createBagCodec({
    loadZstd,
    loadVideo: (await codesVideo()) ? async () => () => undefined : undefined,
    noVideo: 'this browser cannot read and write H.264 video',
  });
