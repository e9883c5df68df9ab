import { cpus } from 'node:os';

/** Bytes of closed frames after which garbage is collected. */
const MAX_CLOSED_BYTES = 64 * 1024 ** 2;

/** What the frames of a class inherit. */
interface FramePrototype {
  readonly closed: boolean;
  allocationSize(): number;
  close(): void;
}

const watched = new WeakSet<FramePrototype>();

/**
 * Collects garbage whenever many bytes of frames were closed.
 *
 * `@napi-rs/webcodecs` frees a frame when its object is collected, not when it is closed. V8 does not know the size of
 * frames, and sees no reason to collect them: 120 closed ones of 3840 × 2160 px hold 1.7 GiB.
 *
 * @param collect has no effect where the program was started without `--expose-gc`
 */
export const collectClosedFrames = (
  prototype: FramePrototype,
  collect = (): void => globalThis.gc?.(),
): void => {
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const { close } = prototype as { readonly close: (this: FramePrototype) => void };
  let bytes = 0;
  prototype.close = function (this: FramePrototype): void {
    if (!this.closed) bytes += this.allocationSize();
    close.call(this);
    if (bytes < MAX_CLOSED_BYTES) return;
    bytes = 0;
    collect();
  };
};

const CORES = cpus().length;
/** Threads of a decoder of FFmpeg, at most. It starts one more than there are cores. */
const MAX_THREADS = 16;
/** Frames that wait for others which are shown before them, at most (H.264 and HEVC). */
const MAX_REORDERED = 16;

/**
 * The number of packets that wait at a decoder, as mediabunny is to see it: no more are added to a long queue.
 *
 * While no frame waits to be read, mediabunny lets 40 packets wait. A decoder with threads of its own makes frames of all
 * of them before the first one is read: 48 frames, which are 570 MiB at 3840 × 2160 px.
 *
 * A queue is long only if a frame must come of it: mediabunny waits for one then, and a decoder gives its first frame
 * after a packet for each of its threads. On 16 cores, eight packets were too few, and no video ever ended.
 *
 * @param cores all of the machine, because the decoder knows no limit of a container
 */
export const boundedQueue = (waiting: number, cores = CORES): number =>
  waiting <= Math.min(MAX_THREADS, cores + 1) + 1 + MAX_REORDERED ? waiting : Infinity;

/** Level 1b of H.264, as the last number of a codec string (ISO/IEC 14496-10, A.3.1), and level 1.1. */
const LEVEL = { '1b': /^(avc[13]\.[0-9a-f]{4})09$/i, '1.1': '$10B' } as const;

/**
 * A codec string that `@napi-rs/webcodecs` accepts: it refuses level 1b, which browsers state for tiny videos. Its decoder
 * reads the level in the stream.
 */
export const withKnownLevel = <Config extends { readonly codec: string }>(config: Config): Config => ({
  ...config,
  codec: config.codec.replace(LEVEL['1b'], LEVEL['1.1']),
});
