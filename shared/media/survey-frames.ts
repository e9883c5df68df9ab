import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { UnreadableFile } from '../pipeline/unreadable-file';
import { placeFrame, type Span, type Timeline } from './timeline';

const MICROSECONDS = 1e6;
const BITS = 8;

/** A frame as it lies in the file. */
interface CodedFrame extends Span {
  readonly bytes: number;
}

/** What a file says of its frames. */
export interface Survey {
  /** Of those that are shown; so is all else here. */
  readonly frameCount: number;
  /** Mean time from a frame to the next. */
  readonly frameDurationUs: number;
  /** In bits per second. */
  readonly bitRate: number;
}

/** The frames that are shown, in decoding order; none is read. */
async function* codedFrames(
  track: InputVideoTrack,
  timeline: Timeline,
  maxFrames: number,
): AsyncGenerator<CodedFrame> {
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
  let count = 0;
  for await (const packet of packets) {
    if (++count > maxFrames) {
      throw new UnreadableFile(`The video has more than ${maxFrames} pictures, which is the limit.`);
    }
    const shown = placeFrame(timeline, packet);
    if (shown) yield { ...shown, bytes: packet.byteLength };
  }
}

/** @throws UnreadableFile where there are none, or too many */
export const surveyFrames = async (
  track: InputVideoTrack,
  timeline: Timeline,
  maxFrames: number,
): Promise<Survey> => {
  let [frameCount, totalBytes, start, end] = [0, 0, Infinity, -Infinity];
  for await (const { timestamp, duration, bytes } of codedFrames(track, timeline, maxFrames)) {
    frameCount++;
    totalBytes += bytes;
    start = Math.min(start, timestamp);
    end = Math.max(end, timestamp + duration);
  }
  if (frameCount === 0) throw new UnreadableFile('The video has no pictures.');
  const seconds = end > start ? end - start : 1;
  return {
    frameCount,
    frameDurationUs: (seconds * MICROSECONDS) / frameCount,
    bitRate: (totalBytes * BITS) / seconds,
  };
};
