import { unstitchedFile, type Projection } from '../../domain/projection';
import { UnreadableFile } from '../../domain/failure';
import { hexOf, viewOf } from './bytes';
import { boxesIn, FULL_BOX_BYTES, type Mp4Box } from './mp4-boxes';
import { OTHER_PROJECTIONS, projectionOfArea } from './panorama-xmp';

/** Spherical Video V1: XML in a box of the track. */
const SPHERICAL_UUID = 'ffcc8263f8554a938814587a02521fdd';
const UUID_BYTES = 16;
const MAX_XML_BYTES = 2 ** 16;

/** What a `uuid` box says; undefined if it is another one. */
export const projectionOfUuid = (bytes: Uint8Array, { start, end }: Mp4Box): Projection | undefined => {
  if (end - start < UUID_BYTES || hexOf(bytes.subarray(start, start + UUID_BYTES)) !== SPHERICAL_UUID) {
    return undefined;
  }
  const from = start + UUID_BYTES;
  const xml = new TextDecoder().decode(bytes.subarray(from, Math.min(end, from + MAX_XML_BYTES)));
  const valueOf = (name: string): string | undefined =>
    new RegExp(`<GSpherical:${name}>\\s*([\\w-]{1,32})\\s*</GSpherical:${name}>`).exec(xml)?.[1];
  if (valueOf('Spherical')?.toLowerCase() !== 'true') return undefined;
  const type = valueOf('ProjectionType') ?? '';
  if (type !== 'equirectangular') return OTHER_PROJECTIONS[type] ?? 'contradictory';
  if ((valueOf('StereoMode') ?? 'mono') !== 'mono') return 'stereo';
  return projectionOfArea(valueOf);
};

/** Bytes of the entry of a video before the boxes in it. */
const VIDEO_ENTRY_BYTES = 78;

const childOf = (bytes: Uint8Array, { start, end }: Mp4Box, type: string): Mp4Box | undefined =>
  [...boxesIn(bytes, start, end)].find((box) => box.type === type);

/** The projection box of Spherical Video V2: whole only where nothing is cut off at an edge. */
const projectionOfSv3d = (bytes: Uint8Array, sv3d: Mp4Box): Projection => {
  const boxes = childOf(bytes, sv3d, 'proj');
  if (!boxes) return 'contradictory';
  const around = childOf(bytes, boxes, 'equi');
  if (around) {
    const view = viewOf(bytes);
    const bounds = [0, 1, 2, 3].map((i) => view.getUint32(around.start + FULL_BOX_BYTES + 4 * i));
    return bounds.every((bound) => bound === 0) ? 'sphere' : 'part';
  }
  if (childOf(bytes, boxes, 'cbmp')) return 'cube';
  return childOf(bytes, boxes, 'mshp') ? 'lenses' : 'contradictory';
};

const MONO = 0;

/**
 * What the description of a video's samples says by `sv3d` and `st3d`; undefined where it says nothing. A damaged one
 * says nothing: nothing else depends on it.
 *
 * @param stsd the box
 * @see https://github.com/google/spatial-media/blob/master/docs/spherical-video-v2-rfc.md
 */
export const projectionOfEntry = (bytes: Uint8Array, { start, end }: Mp4Box): Projection | undefined => {
  try {
    const [entry] = boxesIn(bytes, start + FULL_BOX_BYTES + 4, end);
    if (!entry) return undefined;
    const inside = { ...entry, start: entry.start + VIDEO_ENTRY_BYTES };
    const sv3d = childOf(bytes, inside, 'sv3d');
    if (!sv3d) return undefined;
    const st3d = childOf(bytes, inside, 'st3d');
    if (st3d && bytes[st3d.start + FULL_BOX_BYTES] !== MONO) return 'stereo';
    return projectionOfSv3d(bytes, sv3d);
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** What two places say together; undefined where neither says anything. */
export const bothProjections = (
  one: Projection | undefined,
  other: Projection | undefined,
): Projection | undefined => (one && other && one !== other ? 'contradictory' : (one ?? other));

/** Bytes of a handler that are read. */
const MAX_HANDLER_BYTES = 128;

/** Whether the handler of a track names GoPro. @param hdlr the box */
export const isHandlerOfGoPro = (bytes: Uint8Array, { start, end }: Mp4Box): boolean =>
  new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_HANDLER_BYTES))).includes('GoPro');

/** Refuses a `.360` of GoPro under another name: it has two tracks, each of one lens. @throws UnreadableFile */
export const requireOneLens = (
  tracks: readonly { readonly handler: string; readonly isOfGoPro: boolean }[],
): void => {
  if (tracks.filter(({ handler, isOfGoPro }) => handler === 'vide' && isOfGoPro).length > 1) {
    throw unstitchedFile();
  }
};
