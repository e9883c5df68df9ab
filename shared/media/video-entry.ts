import type { Size } from '../domain/raster';
import { joinBytes, viewOf } from '../engine/formats/bytes';
import { boxesIn, type Mp4Box } from '../engine/formats/mp4-boxes';
import { box, fullBox, HEADER_BYTES, words } from './write-boxes';

const CONTAINERS: readonly string[] = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
/** Version, flags and number of entries before the first entry of `stsd`. */
const STSD_BYTES = 8;
/** Offsets of width and height, in whole px, in the sample entry of a video. */
const ENTRY = { width: 32, height: 34 } as const;
const VIDEO_ENTRY = 'avc1';

/** The `clap` box: the upper left `visible` pixels of the coded ones. */
const cleanAperture = (visible: Size, coded: Size): Uint8Array => {
  // Fractions: width, height, and the offsets of the centre.
  const numbers = [
    ...[visible.width, 1, visible.height, 1],
    ...[visible.width - coded.width, 2, visible.height - coded.height, 2],
  ];
  return box('clap', words(...numbers));
};

/**
 * The boxes `st3d` and `sv3d` of a panorama for one eye that is equirectangular, whole and upright.
 *
 * @see https://github.com/google/spatial-media/blob/master/docs/spherical-video-v2-rfc.md
 */
const sphereBoxes = (): readonly Uint8Array[] => {
  const noSource = new Uint8Array(1);
  const upright = fullBox('prhd', words(0, 0, 0));
  const whole = fullBox('equi', words(0, 0, 0, 0));
  const sv3d = box('sv3d', fullBox('svhd', noSource), box('proj', upright, whole));
  return [fullBox('st3d', new Uint8Array(1)), sv3d];
};

/** What the index of a result says of its video next to the usual. */
export interface VideoDescription {
  /** Size of the frames without padding at their right and lower edges. */
  readonly visible: Size;
  readonly isSphere: boolean;
}

/** The description of the video with further boxes; other descriptions unchanged. */
const withBoxes = (stsd: Uint8Array, { visible, isSphere }: VideoDescription): Uint8Array => {
  const [entry] = [...boxesIn(stsd, STSD_BYTES, stsd.byteLength)];
  if (entry?.type !== VIDEO_ENTRY) return stsd;
  const view = viewOf(stsd);
  const at = entry.start - HEADER_BYTES;
  const coded = {
    width: view.getUint16(at + ENTRY.width),
    height: view.getUint16(at + ENTRY.height),
  };
  const isPadded = visible.width !== coded.width || visible.height !== coded.height;
  const added = [...(isPadded ? [cleanAperture(visible, coded)] : []), ...(isSphere ? sphereBoxes() : [])];
  const content = stsd.subarray(entry.start, entry.end);
  return joinBytes([stsd.subarray(0, STSD_BYTES), box(VIDEO_ENTRY, content, ...added)]);
};

const rebuild = (
  bytes: Uint8Array,
  { type, start, end }: Mp4Box,
  description: VideoDescription,
): Uint8Array => {
  if (type === 'stsd') return box(type, withBoxes(bytes.subarray(start, end), description));
  if (!CONTAINERS.includes(type)) return bytes.subarray(start - HEADER_BYTES, end);
  return box(type, ...[...boxesIn(bytes, start, end)].map((child) => rebuild(bytes, child, description)));
};

/**
 * Adds to the index of an MP4 file the size without padding, as a clean aperture, and that it is a panorama.
 *
 * Players that support it crop the padding. H.264 itself can crop only even numbers of pixels.
 *
 * @param moov the whole box
 * @see ISO/IEC 14496-12, section 12.1.4
 */
export const describeVideo = (moov: Uint8Array, description: VideoDescription): Uint8Array =>
  joinBytes([...boxesIn(moov, 0, moov.byteLength)].map((child) => rebuild(moov, child, description)));
