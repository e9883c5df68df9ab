import { VideoSample } from 'mediabunny';
import type { Raster, Size } from '../../../domain/raster';
import { i420Bytes, i420OfRaster } from '../../../engine/pixels/yuv';
import { MessageProblem } from '../messages/image-message';
import { rasterOfSample, yuvCodingOf } from '../../sample-raster';
import { HDTV } from '../../tone-tables';

/** One access unit of a topic. */
export interface StreamUnit {
  /** Its number in the topic. */
  readonly index: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

/** A decoded access unit. */
export interface StreamFrame extends Pick<StreamUnit, 'index' | 'isKey'> {
  readonly raster: Raster;
}

/** H.264 quantizer, as for videos. */
const QUANTIZER = 22;
/** Bits per pixel for encoders that take no quantizer: no loss is visible then, either. */
const FALLBACK_BITS = 0.25;
/** As encoders are told; stamps of messages are their own. */
const FRAME_RATE = 30;
const FRAME_US = 1e6 / FRAME_RATE;
/** Units in the queue of a coder. */
const MAX_QUEUED = 3;

const roomIn = async (coder: VideoDecoder | VideoEncoder, hasFailed: () => boolean): Promise<void> => {
  const queued = (): number => ('decodeQueueSize' in coder ? coder.decodeQueueSize : coder.encodeQueueSize);
  while (queued() > MAX_QUEUED && !hasFailed()) {
    await new Promise((resolve) => coder.addEventListener('dequeue', resolve, { once: true }));
  }
};

/** Also where an encoder leaves frames out, or changes their order: each belongs to a message of its own. */
const NOT_ENCODED = 'a frame of its video cannot be encoded';

const bad = (): MessageProblem => new MessageProblem('a frame of its video cannot be decoded');

/**
 * Decodes units one after another. Each gives one frame, in their order: the video of a topic has no B-frames.
 *
 * @throws MessageProblem where a unit gives none
 */
export async function* decodeStream(
  units: AsyncIterable<StreamUnit>,
  codec: string,
): AsyncGenerator<StreamFrame> {
  const sent: Pick<StreamUnit, 'index' | 'isKey'>[] = [];
  const decoded: VideoFrame[] = [];
  let hasFailed = false;
  const decoder = new VideoDecoder({
    output: (frame) => void decoded.push(frame),
    error: () => void (hasFailed = true),
  });
  const nextFrames = async function* (): AsyncGenerator<StreamFrame> {
    for (let frame = decoded.shift(); frame; frame = decoded.shift()) {
      const unit = sent.shift();
      using sample = new VideoSample(frame);
      if (unit?.index !== frame.timestamp) throw bad();
      yield { ...unit, raster: await rasterOfSample(sample, frame.colorSpace.toJSON()) };
    }
  };
  try {
    decoder.configure({ codec, optimizeForLatency: true });
    for await (const { index, isKey, data } of units) {
      sent.push({ index, isKey });
      decoder.decode(new EncodedVideoChunk({ type: isKey ? 'key' : 'delta', timestamp: index, data }));
      await roomIn(decoder, () => hasFailed);
      if (hasFailed) throw bad();
      yield* nextFrames();
    }
    await decoder.flush().catch(() => void (hasFailed = true));
    yield* nextFrames();
    if (hasFailed || sent.length > 0) throw bad();
  } finally {
    for (const frame of decoded) frame.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}

/** Level of H.264 that is enough for frames of a size. */
const levelOf = ({ width, height }: Size): string => {
  if (width * height <= 1280 * 720) return '1f';
  return width * height <= 1920 * 1088 ? '28' : '34';
};

const timeOf = (index: number): number => Math.round(index * FRAME_US);

/** Constant quality, or where an encoder has none a bit rate. */
const encoderConfig = async (size: Size): Promise<VideoEncoderConfig> => {
  const always = { ...size, codec: `avc1.6400${levelOf(size)}`, avc: { format: 'annexb' } } as const;
  const constant = {
    ...always,
    ...({ latencyMode: 'realtime', bitrateMode: 'quantizer' } as const),
  };
  if ((await VideoEncoder.isConfigSupported(constant)).supported === true) return constant;
  const bitrate = Math.ceil(size.width * size.height * FALLBACK_BITS * FRAME_RATE);
  // An encoder that keeps up with a bit rate in real time may leave frames out.
  return { ...always, latencyMode: 'quality', bitrateMode: 'variable', bitrate, framerate: FRAME_RATE };
};

const frameOf = ({ index, raster }: StreamFrame): VideoFrame => {
  const coding = yuvCodingOf(HDTV);
  const { width, height, data } = i420OfRaster(raster, coding!, new Uint8Array(i420Bytes(raster)));
  return new VideoFrame(data as Uint8Array<ArrayBuffer>, {
    ...{ format: 'I420', codedWidth: width, codedHeight: height, timestamp: timeOf(index), colorSpace: HDTV },
  });
};

/** Encodes frames as H.264 in the form of Annex B, one unit for each; key frames stay key frames. */
export async function* encodeStream(
  frames: AsyncIterable<StreamFrame>,
  size: Size,
): AsyncGenerator<Uint8Array> {
  let encoded: Uint8Array[] = [];
  const sent: number[] = [];
  let fault: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      if (chunk.timestamp !== sent.shift()) fault ??= new MessageProblem(NOT_ENCODED);
      encoded.push(bytes);
    },
    error: (error) => (fault ??= error),
  });
  const take = (): Uint8Array[] => {
    if (fault !== undefined) throw fault;
    const taken = encoded;
    encoded = [];
    return taken;
  };
  try {
    encoder.configure(await encoderConfig(size));
    for await (const frame of frames) {
      const image = frameOf(frame);
      sent.push(image.timestamp);
      encoder.encode(image, {
        keyFrame: frame.isKey,
        avc: { quantizer: QUANTIZER },
      } as VideoEncoderEncodeOptions);
      image.close();
      await roomIn(encoder, () => fault !== undefined);
      yield* take();
    }
    await encoder.flush();
    yield* take();
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
}
