import type { MetadataKind } from '../../domain/image-header';

/** All that `--keep-metadata` keeps of an image: whatever is not listed here never reaches a result. */

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Make, model, date. Not the orientation, because pixels are upright, and no texts by users, which may name persons.
 */
export const CAMERA_TAGS: ReadonlySet<number> = new Set([0x010f, 0x0110, 0x0132]);

/** Exposure, lens, time with offset and fractions. No notes, serial numbers, owners or subject locations. */
export const EXPOSURE_TAGS: ReadonlySet<number> = new Set([
  ...[0x829a, 0x829d, 0x8822, 0x8827, 0x8830],
  ...[0x9003, 0x9004, 0x9010, 0x9011, 0x9012],
  ...range(0x9201, 0x920a),
  ...[0x9290, 0x9291, 0x9292],
  ...range(0xa402, 0xa406),
  ...[0xa432, 0xa433, 0xa434],
]);

/** All tags except free texts (processing method, name of the area). */
export const GPS_TAGS: ReadonlySet<number> = new Set([...range(0x00, 0x1a), 0x1d, 0x1e, 0x1f]);

/** Makes and models of camera and lens: the only texts of any form. */
export const NAME_TAGS: ReadonlySet<number> = new Set([0x010f, 0x0110, 0xa433, 0xa434]);

/** All other texts are dates, offsets, numbers, one letter that says what a number means, or a geodetic datum. */
export const TEXT_FORM = /^([\d:. +-]*|[A-Z]|WGS[- ]?84|TOKYO) *$/;

/** Properties of one name space of XMP, by the form that their values must have. */
interface KeptProperties {
  readonly prefix: string;
  readonly nameSpace: string;
  /** Of metadata: what these properties say. */
  readonly kind: MetadataKind;
  readonly forms: readonly (readonly [form: RegExp, names: string])[];
}

const WHOLE = /^\d{1,7}$/;
const REAL = /^[+-]?\d{1,7}(\.\d{1,10})?$/;
const BOOLEAN = /^([Tt]rue|[Ff]alse)$/;
const RATIONAL = /^\d{1,10}(\/\d{1,10})?$/;
const DATE = /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?)?$/;
/** Degrees, and minutes with a fraction or with seconds. */
const COORDINATE = /^\d{1,3},\d{1,2}(,\d{1,2}|\.\d{1,10})?[NSEW]$/;

const EXIF_IN_XMP = { prefix: 'exif', nameSpace: 'http://ns.adobe.com/exif/1.0/' } as const;

/**
 * Values are numbers, dates or one of a few words: none has room for a name, or for an image as text.
 *
 * @see https://developers.google.com/streetview/spherical-metadata
 * @see CIPA DC-010 (Exif metadata for XMP)
 */
export const KEPT_PROPERTIES: readonly KeptProperties[] = [
  {
    ...{ prefix: 'GPano', nameSpace: 'http://ns.google.com/photos/1.0/panorama/', kind: 'panorama' },
    forms: [
      [/^(equirectangular|cylindrical|fisheye|cubemap)$/, 'ProjectionType'],
      [BOOLEAN, 'UsePanoramaViewer ExposureLockUsed'],
      [REAL, 'PoseHeadingDegrees PosePitchDegrees PoseRollDegrees'],
      [REAL, 'InitialViewHeadingDegrees InitialViewPitchDegrees InitialViewRollDegrees'],
      [REAL, 'InitialHorizontalFOVDegrees InitialVerticalFOVDegrees InitialCameraDolly'],
      [WHOLE, 'FullPanoWidthPixels FullPanoHeightPixels CroppedAreaLeftPixels CroppedAreaTopPixels'],
      [WHOLE, 'CroppedAreaImageWidthPixels CroppedAreaImageHeightPixels SourcePhotosCount'],
      [WHOLE, 'LargestValidInteriorRectLeft LargestValidInteriorRectTop'],
      [WHOLE, 'LargestValidInteriorRectWidth LargestValidInteriorRectHeight'],
      [DATE, 'FirstPhotoDate LastPhotoDate'],
    ],
  },
  {
    ...{ ...EXIF_IN_XMP, kind: 'place' },
    forms: [
      [COORDINATE, 'GPSLatitude GPSLongitude GPSDestLatitude GPSDestLongitude'],
      [RATIONAL, 'GPSAltitude GPSImgDirection GPSTrack GPSSpeed GPSDOP GPSHPositioningError'],
      [RATIONAL, 'GPSDestBearing GPSDestDistance'],
      [DATE, 'GPSTimeStamp'],
      [/^[01]$/, 'GPSAltitudeRef GPSDifferential'],
      [/^[23]$/, 'GPSMeasureMode'],
      [/^[AV]$/, 'GPSStatus'],
      [/^[TM]$/, 'GPSImgDirectionRef GPSTrackRef GPSDestBearingRef'],
      [/^[KMN]$/, 'GPSSpeedRef GPSDestDistanceRef'],
      [/^WGS[- ]?84$/, 'GPSMapDatum'],
      [/^\d(\.\d){3}$/, 'GPSVersionID'],
    ],
  },
  {
    ...{ ...EXIF_IN_XMP, kind: 'capture-time' },
    forms: [[DATE, 'DateTimeOriginal DateTimeDigitized']],
  },
  {
    ...{ prefix: 'xmp', nameSpace: 'http://ns.adobe.com/xap/1.0/', kind: 'capture-time' },
    forms: [[DATE, 'CreateDate']],
  },
  {
    ...{ prefix: 'photoshop', nameSpace: 'http://ns.adobe.com/photoshop/1.0/', kind: 'capture-time' },
    forms: [[DATE, 'DateCreated']],
  },
];

/** `com.apple.quicktime.creationdate` of a video: a moment, mostly with its offset from UTC. */
export const VIDEO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * The place of a video: latitude, longitude and altitude in degrees and m (ISO 6709), as `©xyz` and
 * `com.apple.quicktime.location.ISO6709` have it.
 */
export const VIDEO_PLACE =
  /^([+-]\d{1,2}(?:\.\d{1,10})?)([+-]\d{1,3}(?:\.\d{1,10})?)([+-]\d{1,5}(?:\.\d{1,10})?)?(?:CRSWGS_84)?\/?$/;
