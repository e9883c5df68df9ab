import { box, changeIndex, u32, withDescription } from './mp4-surgery';
import {
  framesAt,
  numberedFramesAt,
  SHORT,
  silent,
  silentClip,
  SIZE,
  type PhoneClip,
  type RefusedFile,
} from './phone-clip';

const AROUND = { width: 320, height: 160 };
const clip = (size = AROUND): Promise<Uint8Array> => silent(SHORT, { frames: framesAt(SHORT, size) });

const fullBox = (type: string, ...content: readonly Uint8Array[]): Uint8Array =>
  box(type, u32(0), ...content);
const one = (value: number): Uint8Array => Uint8Array.of(value);
const sv3d = (projection: Uint8Array): Uint8Array =>
  box('sv3d', fullBox('svhd', one(0)), box('proj', fullBox('prhd', u32(0, 0, 0)), projection));
const st3d = (mode: number): Uint8Array => fullBox('st3d', one(mode));
const WHOLE = fullBox('equi', u32(0, 0, 0, 0));
const LOWER_HALF = fullBox('equi', u32(0x8000_0000, 0, 0, 0));
const CUBE = fullBox('cbmp', u32(0, 0));
const MESHES = fullBox('mshp', u32(0));
const [MONO, ABOVE] = [0, 1];

/** A video that says that it shows all around. */
export const allAround = (video: Uint8Array): Uint8Array => withDescription(video, sv3d(WHOLE));

const withBoxes = async (...boxes: readonly Uint8Array[]): Promise<Uint8Array> =>
  withDescription(await clip(), ...boxes);

const SPHERICAL = Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex');
/** The box of Spherical Video V1 in the first track. */
const withXml = (video: Uint8Array, values: Readonly<Record<string, string | number>>): Uint8Array => {
  const fields = Object.entries({ Spherical: 'true', Stitched: 'true', ...values });
  const xml = fields.map(([name, value]) => `<GSpherical:${name}>${value}</GSpherical:${name}>`).join('');
  const added = box('uuid', SPHERICAL, Buffer.from(`<rdf:SphericalVideo>${xml}</rdf:SphericalVideo>`));
  return changeIndex(video, (path, content) =>
    path === 'moov/trak' ? Buffer.concat([content, added]) : undefined,
  );
};
const EQUIRECTANGULAR = { ProjectionType: 'equirectangular' };

const panorama = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip> = {}): PhoneClip =>
  silentClip(bytes, {
    ...{ shownFrames: numberedFramesAt(SHORT), size: AROUND, projection: 'sphere' },
    ...more,
  });
const part = (bytes: PhoneClip['bytes'], more: Partial<PhoneClip> = {}): PhoneClip =>
  panorama(bytes, { projection: 'part', ...more });

/** The box is dropped, and another one written. */
const WITH_BOX: Partial<PhoneClip> = { removed: ['capture-time', 'other'] };

/** Videos of 360° cameras. */
export const PANORAMA_CLIPS: Readonly<Record<string, PhoneClip>> = {
  'all around (sv3d)': panorama(() => withBoxes(sv3d(WHOLE))),
  'all around for one eye (sv3d, st3d)': panorama(() => withBoxes(st3d(MONO), sv3d(WHOLE))),
  'all around (uuid)': panorama(async () => withXml(await clip(), EQUIRECTANGULAR), WITH_BOX),
  'the upper half (sv3d)': part(() => withBoxes(sv3d(LOWER_HALF))),
  'a cropped area (uuid)': part(async () => {
    const whole = { FullPanoWidthPixels: 320, FullPanoHeightPixels: 160 };
    const area = { CroppedAreaImageWidthPixels: 320, CroppedAreaImageHeightPixels: 80 };
    return withXml(await clip(), { ...EQUIRECTANGULAR, ...whole, ...area });
  }, WITH_BOX),
};

export const REFUSED_PANORAMAS: Readonly<Record<string, RefusedFile>> = {
  'the faces of a cube (sv3d)': {
    bytes: () => withBoxes(sv3d(CUBE)),
    sentence: /faces of a cube: convert it to an equirectangular panorama first/,
  },
  'the images of lenses (sv3d with meshes)': {
    bytes: () => withBoxes(sv3d(MESHES)),
    sentence: /single lenses: stitch them/,
  },
  'one panorama above the other (st3d)': {
    bytes: () => withBoxes(st3d(ABOVE), sv3d(WHOLE)),
    sentence: /for two eyes: save one of them/,
  },
  'a sphere by uuid, a cube by sv3d': {
    bytes: async () => withXml(await withBoxes(sv3d(CUBE)), EQUIRECTANGULAR),
    sentence: /contradicts itself: correct its metadata/,
  },
  'a sphere of 4:3': {
    bytes: async () => withDescription(await clip(SIZE), sv3d(WHOLE)),
    sentence: /contradicts itself: correct its metadata/,
  },
  'a file of Insta360': { bytes: () => clip(), sentence: /stitch it to a panorama/, extension: 'insv' },
};
