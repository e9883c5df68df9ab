import type { VideoSample } from 'mediabunny';
import { RGBA, type Raster } from '../domain/raster';
import { rasterOfHdr } from '../engine/colour/hdr-raster';
import type { ToneOutput } from '../engine/colour/tone-map';
import { rasterOfYuv, type YuvCoding, type YuvMatrix, type YuvImage } from '../engine/pixels/yuv';
import { hdrWithoutPlanes, toneTableOf } from './tone-tables';

/**
 * Reuses memory: the buffers of finished frames are given to later ones.
 *
 * Garbage collection frees megabytes for each frame late, and every new page of memory causes a page fault.
 */
export interface BufferPool {
  /** @returns memory with any content, which the caller overwrites completely */
  take(bytes: number): ArrayBuffer;
  /** Takes memory back; the caller must not use it any more. */
  give(memory: ArrayBuffer): void;
}

/** @param maxFreeBytes maximum total size of free buffers; beyond it the oldest are left to the garbage collector */
export const createBufferPool = (maxFreeBytes: number): BufferPool => {
  const free: ArrayBuffer[] = [];
  let freeBytes = 0;
  const remove = (index: number): ArrayBuffer => {
    const [memory] = free.splice(index, 1) as [ArrayBuffer];
    freeBytes -= memory.byteLength;
    return memory;
  };
  return {
    take: (bytes) => {
      const index = free.findLastIndex(({ byteLength }) => byteLength === bytes);
      return index < 0 ? new ArrayBuffer(bytes) : remove(index);
    },
    give: (memory) => {
      if (free.includes(memory)) throw new Error('a buffer was returned twice');
      free.push(memory);
      freeBytes += memory.byteLength;
      while (freeBytes > maxFreeBytes) remove(0);
    },
  };
};

/** YUV matrices by their WebCodecs names. A frame without a matrix is treated as BT.709 (HDTV), as browsers do. */
const MATRICES: Readonly<Record<string, YuvMatrix>> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  'bt2020-ncl': 'bt2020',
};

/** YUV matrix and range of a frame with this colour space; undefined: it is not YUV, or the matrix is not supported. */
export const yuvCodingOf = ({ matrix, fullRange }: VideoColorSpaceInit): YuvCoding | undefined => {
  const known = MATRICES[matrix ?? 'bt709'];
  return known && { matrix: known, fullRange: fullRange ?? false };
};

/** WebCodecs pixel formats of three planes and maybe alpha, with 8, 10 or 12 bits. */
const PLANAR = /^I4(?<sampling>20|22|44)A?(?:P(?<bits>10|12))?$/;

/** @param bits of each sample. @returns the highest eight of each, rounded */
const toEightBits = (samples: Uint16Array, bits: number): Uint8Array => {
  const result = new Uint8Array(samples.length);
  const [shift, half] = [bits - 8, 1 << (bits - 9)];
  for (let i = 0; i < result.length; i++) {
    result[i] = Math.min(255, ((samples[i] as number) + half) >> shift);
  }
  return result;
};

/** Splits the interleaved U and V samples of NV12 into two planes. */
const separate = (bytes: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const [u, v] = [new Uint8Array(bytes.length >> 1), new Uint8Array(bytes.length >> 1)];
  for (let i = 0; i < u.length; i++) {
    u[i] = bytes[2 * i] as number;
    v[i] = bytes[2 * i + 1] as number;
  }
  return [u, v];
};

/** Buffers for decoded frames. */
export interface FrameMemory {
  /** Planes, as the decoder delivers them. */
  readonly planes: BufferPool;
  /** RGBA pixels. */
  readonly pixels: BufferPool;
}

/** @param maxFreeBytes maximum size of the free buffers that each pool keeps for reuse */
export const createFrameMemory = (maxFreeBytes: number): FrameMemory => ({
  planes: createBufferPool(maxFreeBytes),
  pixels: createBufferPool(maxFreeBytes),
});

interface Planes {
  readonly bytes: Uint8Array;
  readonly layout: readonly PlaneLayout[];
}

const planeOf = ({ bytes, layout }: Planes, index: number): Uint8Array => {
  const start = layout[index]?.offset ?? 0;
  const next = layout[index + 1]?.offset ?? bytes.length;
  return bytes.subarray(start, next);
};

const strideOf = ({ layout }: Planes, index: number): number => layout[index]?.stride ?? 0;

/** The planes of a frame as the decoder delivers them. */
interface DecodedYuv {
  readonly image: YuvImage<Uint8Array | Uint16Array>;
  /** Of each sample. */
  readonly bits: number;
}

/** Samples of two bytes, low byte first, as on all supported machines. */
const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint16Array =>
  new Uint16Array(buffer, byteOffset, byteLength >> 1);

/** @returns undefined where the sample's pixel format is neither planar YUV nor NV12 */
const decodedYuvOf = async (sample: VideoSample, pool: BufferPool): Promise<DecodedYuv | undefined> => {
  const { format, visibleRect } = sample;
  const { width, height } = visibleRect;
  const planar = PLANAR.exec(format ?? '')?.groups;
  if (!planar && format !== 'NV12') return undefined;
  const bytes = new Uint8Array(pool.take(sample.allocationSize()));
  const planes: Planes = { bytes, layout: await sample.copyTo(bytes) };
  if (!planar) {
    const [u, v] = separate(planeOf(planes, 1));
    const [strideY, strideUv] = [strideOf(planes, 0), strideOf(planes, 1) >> 1];
    const image = {
      width,
      height,
      y: planeOf(planes, 0),
      u,
      v,
      strideY,
      strideUv,
      shiftX: 1,
      shiftY: 1,
    } as const;
    return { image, bits: 8 };
  }
  const bits = Number(planar['bits'] ?? 8);
  const plane = (index: number): Uint8Array | Uint16Array =>
    bits > 8 ? wordsOf(planeOf(planes, index)) : planeOf(planes, index);
  const [y, u, v] = [plane(0), plane(1), plane(2)];
  const bytesPerSample = bits > 8 ? 2 : 1;
  const [strideY, strideUv] = [strideOf(planes, 0) / bytesPerSample, strideOf(planes, 1) / bytesPerSample];
  const shiftX = planar['sampling'] === '44' ? 0 : 1;
  const shiftY = planar['sampling'] === '20' ? 1 : 0;
  return { image: { width, height, y, u, v, strideY, strideUv, shiftX, shiftY }, bits };
};

/** The same planes with 8 bits. */
const withEightBits = ({ image, bits }: DecodedYuv): YuvImage => {
  const plane = (samples: Uint8Array | Uint16Array): Uint8Array =>
    samples instanceof Uint16Array ? toEightBits(samples, bits) : samples;
  return { ...image, y: plane(image.y), u: plane(image.u), v: plane(image.v) };
};

/** Options of the WebCodecs standard that TypeScript's DOM library does not declare yet. */
const AS_RGBA: VideoFrameCopyToOptions & Record<'format' | 'colorSpace', string> = {
  format: 'RGBA',
  colorSpace: 'srgb',
};

const copyAsRgba = async (sample: VideoSample, memory: ArrayBuffer): Promise<Raster> => {
  const { width, height } = sample.visibleRect;
  const data = new Uint8Array(memory);
  const [layout] = await sample.copyTo(data, AS_RGBA);
  if (!layout || layout.offset !== 0 || layout.stride !== width * RGBA) {
    throw new Error('decoded rows are padded');
  }
  return { width, height, data };
};

/** A frame in standard range. */
interface ConvertedSample {
  readonly raster: Raster;
  /** Makes the same pixels again; absent where the planes are not accessible. */
  readonly again?: () => Raster;
  /** To be called when `again` is not needed any more. */
  readonly drop: () => void;
}

/**
 * Converts a decoded frame to RGBA in standard range.
 *
 * Planes are converted here wherever they are accessible: hosts assume BT.601 or limited range for every video, which
 * clips colours and changes them, and each has other curves for high dynamic range.
 *
 * @param tags colour space of the frame
 * @param memory provides the raster's buffer; the caller may return it when the raster is not needed any more
 * @param use what is made of a frame in high dynamic range
 * @throws UnreadableFile where a frame in high dynamic range cannot be mapped
 */
export const convertSample = async (
  sample: VideoSample,
  tags: VideoColorSpaceInit,
  { planes, pixels } = createFrameMemory(0),
  use: ToneOutput = 'video',
): Promise<ConvertedSample> => {
  const { width, height } = sample.visibleRect;
  const coding = yuvCodingOf(tags);
  const tones = toneTableOf(tags, use);
  const decoded = coding && (await decodedYuvOf(sample, planes));
  if (tones && !decoded) throw hdrWithoutPlanes();
  const memory = (): ArrayBuffer => pixels.take(width * height * RGBA);
  if (!decoded) return { raster: await copyAsRgba(sample, memory()), drop: () => undefined };
  const again = (): Raster =>
    tones
      ? rasterOfHdr(decoded.image, { coding, bits: decoded.bits, tones }, memory())
      : rasterOfYuv(withEightBits(decoded), coding, memory());
  const drop = (): void => planes.give(decoded.image.y.buffer as ArrayBuffer);
  return { raster: again(), again, drop };
};

/** Converts a decoded frame to RGBA, once. @see convertSample */
export const rasterOfSample = async (...args: Parameters<typeof convertSample>): Promise<Raster> => {
  const { raster, drop } = await convertSample(...args);
  drop();
  return raster;
};
