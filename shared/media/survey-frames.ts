import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { UnreadableFile } from '../domain/failure';
import type { Budget } from './rate-control';
import { placeFrame, type Span, type Timeline } from './timeline';

const BITS = 8;

/** A frame that is shown: its time and its encoded size. */
interface CodedFrame extends Span {
  readonly bytes: number;
}

/** Number, times and sizes of the frames that are shown. */
export interface Survey extends Budget {
  /** In bits per second. */
  readonly bitRate: number;
  /** End of the last frame, in seconds. */
  readonly shownUntil: number;
}

/** The frames that are shown, in decoding order. Only the index is read. */
async function* codedFrames(
  track: InputVideoTrack,
  timeline: Timeline,
  maxFrames: number,
): AsyncGenerator<CodedFrame> {
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
  let count = 0;
  for await (const packet of packets) {
    if (++count > maxFrames) {
      throw new UnreadableFile(`The video has more than ${maxFrames} frames, which is the limit.`);
    }
    const shown = placeFrame(timeline, packet);
    if (shown) yield { ...shown, bytes: packet.byteLength };
  }
}

/** Resolution of the bytes over time. */
const PART_SECONDS = 0.25;

/** Bytes over time. A map, because a hostile file may claim any times: it needs one entry for each frame at most. */
const createBytesOverTime = () => {
  const parts = new Map<number, number>();
  return {
    add: (seconds: number, bytes: number): void => {
      const part = Math.floor(seconds / PART_SECONDS);
      parts.set(part, (parts.get(part) ?? 0) + bytes);
    },
    /** @returns a function: bytes up to a time. Its calls must have increasing times */
    summed: (): ((seconds: number) => number) => {
      const sorted = [...parts].sort(([a], [b]) => a - b);
      let [next, sum] = [0, 0];
      return (seconds) => {
        for (; next < sorted.length; next++) {
          const [part, bytes] = sorted[next] as [number, number];
          if ((part + 1) * PART_SECONDS > seconds) break;
          sum += bytes;
        }
        const [part, bytes] = sorted[next] ?? [Infinity, 0];
        const share = Math.max(0, seconds / PART_SECONDS - part);
        return sum + (part === Infinity ? 0 : bytes * Math.min(1, share));
      };
    },
  };
};

/** Surveys a track without decoding it. @throws UnreadableFile where no frame is shown, or there are too many */
export const surveyFrames = async (
  track: InputVideoTrack,
  timeline: Timeline,
  maxFrames: number,
): Promise<Survey> => {
  let [frameCount, totalBytes, start, end, endSeconds] = [0, 0, Infinity, -Infinity, -Infinity];
  const overTime = createBytesOverTime();
  for await (const { timestamp, duration, bytes } of codedFrames(track, timeline, maxFrames)) {
    frameCount++;
    totalBytes += bytes;
    overTime.add(timestamp, bytes);
    start = Math.min(start, timestamp);
    end = Math.max(end, timestamp + duration);
    endSeconds = Math.max(endSeconds, timestamp);
  }
  if (frameCount === 0) throw new UnreadableFile('The video has no frames.');
  const seconds = end > start ? end - start : 1;
  return {
    frameCount,
    totalBytes,
    endSeconds,
    shownUntil: end,
    frameSeconds: seconds / frameCount,
    bitRate: (totalBytes * BITS) / seconds,
    bytesUntil: overTime.summed,
  };
};

/** The same frames, scaled to another bit rate: a converted video has a far higher one than its source. */
export const scaleSurvey = (survey: Survey, bitRate: number): Survey => {
  const scale = bitRate / survey.bitRate;
  return {
    ...survey,
    bitRate,
    totalBytes: survey.totalBytes * scale,
    bytesUntil: () => {
      const bytesUntil = survey.bytesUntil();
      return (seconds) => bytesUntil(seconds) * scale;
    },
  };
};
