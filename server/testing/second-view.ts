import { withSamples } from './changed-samples';
import { box, u32, withDescription } from './mp4-surgery';

/** Bytes of the length in front of each unit of HEVC. */
const LENGTH_BYTES = 4;
/** Types of units below this are parts of pictures. */
const FRAME_UNITS_BELOW = 32;

/** The picture units of a sample once more, as those of a second layer. */
const secondLayer = (sample: Buffer): Buffer => {
  const units: Buffer[] = [];
  for (let at = 0; at < sample.byteLength;) {
    const end = at + LENGTH_BYTES + sample.readUInt32BE(at);
    const unit = Buffer.from(sample.subarray(at, end));
    const [high, low] = [unit[LENGTH_BYTES] as number, unit[LENGTH_BYTES + 1] as number];
    unit[LENGTH_BYTES + 1] = (low & 0x07) | (1 << 3);
    if (((high >> 1) & 0x3f) < FRAME_UNITS_BELOW) units.push(unit);
    at = end;
  }
  return Buffer.concat(units);
};

/** Configuration of a second layer without parameter sets: version 1, units with lengths of four bytes. */
const LAYER = Uint8Array.of(1, 0xf0, 0, 0xfc, 0xcb, 0);
const BOTH_EYES = 3;

/** A spatial video (MV-HEVC): the pictures of an HEVC file, each with that of another eye, without sound. */
export const withSecondView = async (clip: Uint8Array): Promise<Uint8Array> => {
  const both = await withSamples(clip, (sample) => {
    const image = Buffer.from(sample);
    return new Uint8Array(Buffer.concat([image, secondLayer(image)]));
  });
  const eyes = box('vexu', box('eyes', box('stri', u32(0), Uint8Array.of(BOTH_EYES))));
  return withDescription(both, box('lhvC', LAYER), eyes);
};
