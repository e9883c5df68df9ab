import { passthroughArguments } from '#shared/engine/video/ffmpeg-arguments';
import { startCoder } from './coder-process';
import { createFrameInfoReader, FRAME_INFO_FILTER } from './frame-info';
import { streamHeader, streamPacket, streamVoid, type StreamTrack } from './matroska-stream';
import { createAssembler, type DecodedPicture } from './picture-assembler';
import { createPresentationOrder } from './presentation-order';
import { RAW_FORMAT_FILTER, RGBA_FILTER } from './raw-formats';
import type { CoderSettings } from './settings';

export interface DecodingTrack extends StreamTrack {
  /** Its colours are coded as they are, not in YUV. */
  readonly isRgb: boolean;
}

export interface DecodingListener {
  onPicture(picture: DecodedPicture): void;
  /** Once: a packet was rejected, or the program failed. Nothing comes after it. */
  onError(error: Error): void;
}

/** One ffmpeg, from a key frame to the end of what it is given. */
export interface Decoding {
  /** @returns when the program has taken it */
  give(packet: { timestampUs: number; isKey: boolean; data: Uint8Array }): Promise<void>;
  /** When all pictures are out, or there was an error. */
  finish(): Promise<void>;
  kill(): void;
}

/** Times before zero are possible; the stream's are not negative. */
const TIME_OFFSET_US = 2 ** 32;
/** Each packet takes up so much of the pipe, that few of them lie in it: each may become a picture of many megabytes. */
const PACKET_SPACE_BYTES = 32 * 1024;
/** No decoder keeps more packets before its first picture comes out. */
const MAX_UNANSWERED = 40;
/** So long it may take over them. */
const MAX_IDLE_MS = 60_000;

/** Decoders round sizes up; a picture that is larger than the file says would be refused anyway. */
const SIZE_ALLOWANCE = 64;

const argumentsOf = (
  { isRgb, width, height }: DecodingTrack,
  { threads, version }: CoderSettings,
): string[] => [
  ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'info'],
  ...['-protocol_whitelist', 'pipe', '-format_whitelist', 'matroska'],
  // The stream is not analysed in advance, so the decoder must not guess how far H.264 is reordered ("strict").
  ...['-probesize', '32', '-analyzeduration', '1', '-fpsprobesize', '0', '-strict', '1'],
  ...['-flags', '-output_corrupt', '-threads', String(threads)],
  ...['-max_pixels', String((width + SIZE_ALLOWANCE) * (height + SIZE_ALLOWANCE))],
  ...['-copyts', '-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0'],
  ...['-vf', `${isRgb ? RGBA_FILTER : RAW_FORMAT_FILTER},${FRAME_INFO_FILTER}`],
  ...passthroughArguments(version),
  ...['-f', 'rawvideo', 'pipe:1'],
];

/** Ends what has stood still for too long. */
const createWatch = (onIdle: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** @param isWaiting whether an answer is due. */
    update: (isWaiting: boolean): void => {
      clearTimeout(timer);
      timer = isWaiting ? setTimeout(onIdle, MAX_IDLE_MS) : undefined;
    },
  };
};

/** Starts to decode a track, at a key frame. */
export const startDecoding = (
  settings: CoderSettings,
  track: DecodingTrack,
  listener: DecodingListener,
): Decoding => {
  const order = createPresentationOrder<DecodedPicture>();
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
  const watch = createWatch(() => fail('ffmpeg stands still.'));
  const watchOn = (): void => watch.update(!isOver && (isFinishing || given - decoded > MAX_UNANSWERED));
  const onPicture = (picture: DecodedPicture): void => {
    if (isOver) return;
    decoded++;
    watchOn();
    const timestampUs = picture.timestampUs - TIME_OFFSET_US;
    for (const free of order.decoded({ ...picture, timestampUs })) listener.onPicture(free);
    if (order.hasLoss()) fail('A packet was rejected.');
  };
  const pictures = createAssembler(onPicture, fail);
  const infos = createFrameInfoReader(pictures.addInfo);
  const coder = startCoder(settings, argumentsOf(track, settings), {
    onOutput: pictures.addBytes,
    onSaid: infos.add,
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
      for (const free of order.end()) listener.onPicture(free);
      if (order.hasLoss() || !isDone) fail('A packet was rejected.');
    },
    kill,
  };
};
