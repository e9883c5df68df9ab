import { UnreadableFile } from './failure';
import { LIMITS } from './limits';
import type { RequestedTiling, Tiling } from './options';
import type { Size } from './raster';

/** What a file says of the way in which it shows the surroundings. */
export const PROJECTIONS = [
  /** All around, equirectangular. */
  'sphere',
  /** A part of it, as panoramas of phones are: an ordinary image. */
  'part',
  /** The six faces of a cube. */
  'cube',
  /** The images of the lenses, not stitched. */
  'lenses',
  /** One for each eye. */
  'stereo',
  /** The file says two different things. */
  'contradictory',
] as const;
export type Projection = (typeof PROJECTIONS)[number];

/** What the file shows, as sentences say it. */
const SHOWN = {
  sphere: 'a panorama all around',
  part: 'a part of a panorama',
  cube: 'the faces of a cube',
  lenses: 'the images of single lenses',
  stereo: 'a panorama for two eyes',
  contradictory: 'two different things',
} as const satisfies Record<Projection, string>;

/** For whoever can choose a tiling: the page, which asks for `guess`, has no such choice. */
const OTHERWISE = ', or choose format=whole or format=pano:N';
const REFUSED = {
  cube: 'The file says that it shows the faces of a cube: convert it to an equirectangular panorama first',
  lenses: 'The file says that it shows the images of single lenses: stitch them to a panorama first',
  stereo: 'The file says that it is a panorama for two eyes: save one of them as a panorama first',
  contradictory: 'What the file says of its panorama contradicts itself: correct its metadata',
} as const satisfies Partial<Record<Projection, string>>;

/**
 * What a reader of the record must know of a search that did not follow what the file says; undefined where it did.
 *
 * @param format as it was requested
 */
export const projectionWarning = (
  projection: Projection | undefined,
  { kind }: RequestedTiling,
): string | undefined => {
  const isFollowed = projection === 'sphere' && kind !== 'whole' && kind !== 'grid';
  if (projection === undefined || isFollowed) return undefined;
  const searched = kind === 'pano' ? 'a panorama' : 'an ordinary image';
  const isRisky = projection !== 'part';
  return `The source says that it shows ${SHOWN[projection]}, and was searched as ${searched}${isRisky ? ': objects may have been missed' : ''}.`;
};

/** Files of 360° cameras (Insta360, GoPro), whatever is in them. */
const UNSTITCHED = /\.(insv|insp|360)$/i;

/** Why a file of a 360° camera that holds the images of its lenses is refused. */
export const unstitchedFile = (): UnreadableFile =>
  new UnreadableFile(
    'The file holds the images of the lenses of a 360° camera: stitch it to a panorama with the program of the camera first.',
  );

export const isNamedUnstitched = (name: string): boolean => UNSTITCHED.test(name);

/**
 * Refuses files of 360° cameras by their names, whichever tiling is requested: a result would lack one lens or what the
 * program of the camera needs, so that nobody could stitch it.
 *
 * @throws UnreadableFile
 */
export const requireStitched = (name: string): void => {
  if (isNamedUnstitched(name)) throw unstitchedFile();
};

/** A file's upright size, and what it says. */
type Projected = Size & { readonly projection?: Projection | undefined };

/** Whether an image is twice as wide as high, as panoramas all around are. */
const isTwiceAsWide = ({ width, height }: Size): boolean =>
  Math.abs(width - 2 * height) <= Math.max(2, width / 100);

/** What a file says together with its size. */
export const soundProjection = (file: Projected): Projection | undefined =>
  file.projection === 'sphere' && !isTwiceAsWide(file) ? 'contradictory' : file.projection;

/** Panoramas of this width are common, and other images of their proportions hardly have it. */
const MIN_GUESSED_PX = 4096;

/** Whether a file that says nothing is probably a panorama all around, as many programs write it without metadata. */
export const isProbablySphere = (file: Projected): boolean =>
  file.projection === undefined && file.width >= MIN_GUESSED_PX && isTwiceAsWide(file);

/**
 * The tiling of an image or video: the requested one, or with `auto` that of a panorama where the file says that it is
 * one, and with `guess` also where it looks like one. A file with a projection that is not searched is refused rather
 * than searched wrongly.
 *
 * @throws UnreadableFile
 */
export const tilingOf = (format: RequestedTiling, file: Projected): Tiling => {
  if (format.kind !== 'auto' && format.kind !== 'guess') return format;
  const isGuessed = format.kind === 'guess' && isProbablySphere(file);
  const projection = isGuessed ? 'sphere' : soundProjection(file);
  if (projection === undefined || projection === 'part') return { kind: 'whole' };
  if (projection !== 'sphere') {
    throw new UnreadableFile(`${REFUSED[projection]}${format.kind === 'guess' ? '' : OTHERWISE}.`);
  }
  const { minPanoramaPx, maxPanoramaPx } = LIMITS;
  return { kind: 'pano', width: Math.min(maxPanoramaPx, Math.max(minPanoramaPx, file.width)) };
};
