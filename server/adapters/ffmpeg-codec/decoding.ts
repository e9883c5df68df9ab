import { passthroughArguments } from '#shared/engine/video/ffmpeg-arguments';
import { startCoder } from './coder-process';
import { createFrameInfoReader, FRAME_INFO_FILTER } from './frame-info';
import { streamHeader, streamPacket, streamVoid, type StreamTrack } from './matroska-stream';
import { createAssembler, type DecodedFrame } from './frame-assembler';
import { createPresentationOrder } from './presentation-order';
import { RAW_FORMAT_FILTER, RGBA_FILTER } from './raw-formats';
import type { CoderSettings } from './settings';

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
  const order = createPresentationOrder<DecodedFrame>();
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
