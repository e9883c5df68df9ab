import { UnreadableFile } from '#shared/domain/failure';
import type { VideoCodec, VideoReader } from '#shared/ports/video';

const NO_DECODER =
  'This browser cannot read videos (WebCodecs is missing). Use a current Chrome, Edge, Firefox or Safari, and open the page over https or on the computer that serves it.';
const NO_ENCODER =
  'This browser cannot write MP4 videos (H.264). Use a current Chrome, Edge or Safari. The method “Detect only” works in this browser.';

/** Checks the encoder before the first frame, because minutes of work would be lost otherwise. */
const requireEncoder = async ({ width, height }: VideoReader): Promise<void> => {
  const { canEncodeVideo } = await import('mediabunny');
  const even = (side: number): number => side + (side % 2);
  const canEncode =
    'VideoEncoder' in globalThis &&
    (await canEncodeVideo('avc', { width: even(width), height: even(height) }));
  if (!canEncode) throw new UnreadableFile(NO_ENCODER);
};

/** Reads and writes videos with WebCodecs. Loaded with the first video, because most visits have none. */
export const videoCodec = {
  open: async (source, limits) => {
    if (!('VideoDecoder' in globalThis)) throw new UnreadableFile(NO_DECODER);
    const { videoCodec: portableCodec } = await import('#shared/media/video-codec');
    const reader = await portableCodec.open(source, limits);
    return {
      ...reader,
      createWriter: async (target, options) => {
        await requireEncoder(reader);
        return reader.createWriter(target, options);
      },
    };
  },
} satisfies VideoCodec;
