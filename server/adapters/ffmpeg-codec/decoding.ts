import { passthroughArguments } from '#shared/engine/video/ffmpeg-arguments';
import { FRAME_INFO_FILTER } from '#shared/engine/video/frame-colours';
import { startCoder, type CoderSettings } from './coder-process';
import {
  type FrameInfo,
  type RawLayout,
  createFrameInfoReader,
  RAW_FORMAT_FILTER,
  RGBA_FILTER,
  rawLayout,
} from './frame-info';
import { streamHeader, streamPacket, streamVoid, type StreamTrack } from './matroska-stream';

export interface DecodedFrame {
  readonly timestampUs: number;
  readonly width: number;
  readonly height: number;
  readonly layout: RawLayout;
  readonly colorSpace: VideoColorSpaceInit;
  readonly bytes: Uint8Array;
}

interface Assembling {
  readonly info: FrameInfo;
  readonly layout: RawLayout;
  readonly bytes: Uint8Array;
  filled: number;
}

/** Joins the descriptions and the pixels of frames, which arrive in separate pipes. */
const createAssembler = (onFrame: (frame: DecodedFrame) => void, onError: (reason: string) => void) => {
  const infos: FrameInfo[] = [];
  const pieces: Buffer[] = [];
  let first: FrameInfo | undefined;
  let current: Assembling | undefined;
  const begin = (info: FrameInfo): Assembling | undefined => {
    first ??= info;
    const layout = rawLayout(info.pixelFormat, info.width, info.height);
    // After a change of size, ffmpeg scales frames to the size of the first one.
    const isSameSize = info.width === first.width && info.height === first.height;
    if (layout && isSameSize) return { info, layout, bytes: new Uint8Array(layout.byteLength), filled: 0 };
    onError('The frames change their size or format.');
    return undefined;
  };
  const finish = ({ info, layout, bytes }: Assembling): void => {
    const { timestampUs, width, height } = info;
    if (timestampUs === undefined) return onError('A frame has no timestamp.');
    const colorSpace = { ...info.colorSpace, ...(layout.isFullRange && { fullRange: true }) };
    onFrame({ timestampUs, width, height, layout, colorSpace, bytes });
  };
  const fill = (): void => {
    while (pieces.length > 0) {
      const info = current ? undefined : infos.shift();
      current ??= info && begin(info);
      if (!current) return;
      const piece = pieces.shift() as Buffer;
      const part = piece.subarray(0, current.bytes.length - current.filled);
      current.bytes.set(part, current.filled);
      current.filled += part.length;
      if (part.length < piece.length) pieces.unshift(piece.subarray(part.length));
      if (current.filled < current.bytes.length) continue;
      const whole = current;
      current = undefined;
      finish(whole);
    }
  };
  return {
    addBytes: (piece: Buffer): void => {
      pieces.push(piece);
      fill();
    },
    addInfo: (info: FrameInfo): void => {
      infos.push(info);
      fill();
    },
  };
};

/** Maximum number of frames that a decoder holds back for reordering (16 in H.264 and HEVC), and one more. */
const MAX_REORDERED = 17;

/** @returns index of the first element that is not smaller than `value` */
const positionOf = (sorted: readonly number[], value: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Holds frames back after a missing one, until it arrives or can no longer arrive.
 *
 * A missing frame is the only sign that ffmpeg rejected a packet. In files with wrong timestamps it may also arrive
 * late, because the decoder reorders frames although their timestamps do not.
 */
const createPresentationOrder = () => {
  const expected: number[] = [];
  let held: DecodedFrame[] = [];
  let hasLoss = false;
  const isMissingBefore = ({ timestampUs }: DecodedFrame): boolean =>
    expected.length > 0 && (expected[0] as number) < timestampUs;
  const takeHeld = (): readonly DecodedFrame[] => {
    const taken = held;
    held = [];
    return taken;
  };
  return {
    /** Registers a packet. */
    given: (timestampUs: number): void =>
      void expected.splice(positionOf(expected, timestampUs), 0, timestampUs),
    /** Registers a decoded frame. @returns frames that may be passed on */
    decoded: (frame: DecodedFrame): readonly DecodedFrame[] => {
      const at = positionOf(expected, frame.timestampUs);
      if (expected[at] === frame.timestampUs) expected.splice(at, 1);
      held.push(frame);
      if (!held.some(isMissingBefore)) return takeHeld();
      hasLoss = held.length > MAX_REORDERED;
      return [];
    },
    /** Called at the end of decoding. @returns the remaining frames */
    end: (): readonly DecodedFrame[] => {
      hasLoss = expected.length > 0;
      const rest = takeHeld();
      // All held frames are after the missing one.
      return hasLoss ? [] : rest;
    },
    /** Whether a packet did not become a frame. The frames after it are not passed on. */
    hasLoss: () => hasLoss,
  };
};

export interface DecodingTrack extends StreamTrack {
  /** Whether the colours are coded as RGB instead of YUV. */
  readonly isRgb: boolean;
}

export interface DecodingListener {
  onFrame(frame: DecodedFrame): void;
  /** Called once at most, if a packet was rejected or the program failed. No frame follows. */
  onError(error: Error): void;
}

/** One ffmpeg process that decodes packets from a key frame on. */
export interface Decoding {
  /** Resolves when the program has taken the packet. */
  give(packet: { timestampUs: number; isKey: boolean; data: Uint8Array }): Promise<void>;
  /** Ends the input. Resolves when all frames were passed to the listener, or after an error. */
  finish(): Promise<void>;
  kill(): void;
}

/** Added to timestamps, which may be negative: those of a Matroska stream may not. */
const TIME_OFFSET_US = 2 ** 32;
/** Minimum size of a packet in the pipe. Small packets are padded, because each may become a frame of megabytes. */
const PACKET_SPACE_BYTES = 32 * 1024;
/** Maximum number of packets that a decoder keeps before it outputs a frame. */
const MAX_UNANSWERED = 40;
/** Maximum time without a frame while more packets than that are waiting. */
const MAX_IDLE_MS = 60_000;

/** Px that a decoder may add to each side. A frame that is larger than declared would be refused anyway. */
const SIZE_ALLOWANCE = 64;

const argumentsOf = (
  { isRgb, width, height }: DecodingTrack,
  { threads, version }: CoderSettings,
): string[] => [
  ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'info'],
  ...['-protocol_whitelist', 'pipe', '-format_whitelist', 'matroska'],
  // The stream is not analysed in advance. `-strict` keeps the decoder from guessing the reordering of H.264.
  ...['-probesize', '32', '-analyzeduration', '1', '-fpsprobesize', '0', '-strict', '1'],
  ...['-flags', '-output_corrupt', '-threads', String(threads)],
  ...['-max_pixels', String((width + SIZE_ALLOWANCE) * (height + SIZE_ALLOWANCE))],
  ...['-copyts', '-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0'],
  ...['-vf', `${isRgb ? RGBA_FILTER : RAW_FORMAT_FILTER},${FRAME_INFO_FILTER}`],
  ...passthroughArguments(version),
  ...['-f', 'rawvideo', 'pipe:1'],
];

/** Calls `onIdle` if an expected frame does not arrive in time. */
const createWatch = (onIdle: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Restarts or stops the timer. @param isWaiting whether a frame is expected */
    update: (isWaiting: boolean): void => {
      clearTimeout(timer);
      timer = isWaiting ? setTimeout(onIdle, MAX_IDLE_MS) : undefined;
    },
  };
};

/** Starts decoding a track at a key frame. */
export const startDecoding = (
  settings: CoderSettings,
  track: DecodingTrack,
  listener: DecodingListener,
): Decoding => {
  const order = createPresentationOrder();
  let [given, decoded] = [0, 0];
  let [isOver, isFinishing] = [false, false];
  const kill = (): void => {
    isOver = true;
    watch.update(false);
    coder.kill();
  };
  const fail = (reason: string): void => {
    if (isOver) return;
    kill();
    listener.onError(new Error(reason));
  };
  const watch = createWatch(() => fail('ffmpeg does not respond.'));
  const watchOn = (): void => watch.update(!isOver && (isFinishing || given - decoded > MAX_UNANSWERED));
  const onFrame = (frame: DecodedFrame): void => {
    if (isOver) return;
    decoded++;
    watchOn();
    const timestampUs = frame.timestampUs - TIME_OFFSET_US;
    for (const ready of order.decoded({ ...frame, timestampUs })) listener.onFrame(ready);
    if (order.hasLoss()) fail('A packet was rejected.');
  };
  const assembler = createAssembler(onFrame, fail);
  const infos = createFrameInfoReader(assembler.addInfo);
  const coder = startCoder(settings, argumentsOf(track, settings), {
    onOutput: assembler.addBytes,
    onErrorText: infos.add,
  });
  void coder.write(streamHeader(track));
  void coder.ended.then(() => {
    if (!isFinishing) fail('ffmpeg ended too early.');
  });
  return {
    give: async ({ timestampUs, isKey, data }) => {
      given++;
      order.given(timestampUs);
      watchOn();
      const packet = streamPacket({ timestampUs: timestampUs + TIME_OFFSET_US, isKey, data });
      await coder.write(packet, streamVoid(Math.max(0, PACKET_SPACE_BYTES - packet.length)));
    },
    finish: async () => {
      isFinishing = true;
      watchOn();
      const { isDone, fault } = await coder.end();
      if (fault) settings.onFault(fault);
      infos.end();
      watch.update(false);
      if (isOver) return;
      for (const ready of order.end()) listener.onFrame(ready);
      if (order.hasLoss() || !isDone) fail('A packet was rejected.');
    },
    kill,
  };
};
