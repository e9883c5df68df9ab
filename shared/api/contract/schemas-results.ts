import { Type, type Static } from 'typebox';
import { codesOf, REPORTED_CLASSES } from '../../catalogue/classes';
import { DEFAULT_ENCODINGS } from '../../tasks/base/settings';

/** What all downloads of results have. */
export const ForReview = Type.Object({
  'for-review': Type.Boolean({
    default: false,
    description:
      'The result as a reviewer sees it before it is released (`--release-gate`); requires the scope `edit`.',
  }),
});

/** Query of `GET …/anonymised`. */
export const AnonymisedQuery = Type.Object({
  ...ForReview.properties,
  download: Type.Optional(
    Type.Enum(['JPEG', 'PNG'], {
      description: 'Format of the image. If absent, as `result-format` of the upload says.',
    }),
  ),
  quality: Type.Number({
    minimum: 1,
    maximum: 100,
    default: DEFAULT_ENCODINGS.jpeg.quality,
    description: 'Quality of JPEG, WebP and AVIF.',
  }),
  'compress-level': Type.Number({
    minimum: 0,
    maximum: 9,
    default: DEFAULT_ENCODINGS.png.compressLevel,
    description: 'PNG compression level.',
  }),
});
export type AnonymisedQuery = Static<typeof AnonymisedQuery>;

/** Query of `GET …/binary-mask` and `GET …/instance-mask`. */
export const MaskQuery = Type.Object({
  ...ForReview.properties,
  'mask-scale': Type.Number({
    exclusiveMinimum: 0,
    maximum: 100,
    default: 100,
    description: 'Size of the mask in per cent of the original.',
  }),
});
export type MaskQuery = Static<typeof MaskQuery>;

/** Minimum of `end_frame`, as in the contract. For a video of one frame, `end_frame` must be left out. */
export const LOWEST_END_FRAME = 1;

/** Query of `GET …/video/metadata`. */
export const VideoMetadataQuery = Type.Object({
  ...ForReview.properties,
  start_frame: Type.Integer({ minimum: 0, default: 0, description: 'First frame, counted from 0.' }),
  end_frame: Type.Optional(
    Type.Integer({
      minimum: LOWEST_END_FRAME,
      description: 'Last frame, inclusive; if absent, the last frame of the video.',
    }),
  ),
  timestamps: Type.Boolean({
    default: false,
    description: 'Adds to each frame when it is shown.',
  }),
});
export type VideoMetadataQuery = Static<typeof VideoMetadataQuery>;

const CHANNEL = Type.Integer({ minimum: 0, maximum: 255 });

const TYPE_CODES = REPORTED_CLASSES.map((name) => `${name} ${codesOf(name).typeCode}`).join(', ');

export const DetectionMetadata = Type.Object({
  id: Type.Integer({ minimum: 0 }),
  parent_image: Type.String(),
  offset: Type.Tuple([Type.Integer(), Type.Integer()], {
    description: "[x, y] of the box's upper left corner.",
  }),
  bbox: Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()], {
    description: '[x1, y1, x2, y2] in pixels of the upright image.',
  }),
  type: Type.Integer({ description: `Of its class: ${TYPE_CODES}.` }),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  is_anonymised: Type.Boolean(),
  type_label: Type.String(),
  color: Type.Union([Type.Null(), Type.Tuple([CHANNEL, CHANNEL, CHANNEL])], {
    description: 'RGB of the object in the instance mask; null if no instance mask is saved.',
  }),
  shown_confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Similarity to the subject of `show`; only for objects that are visible because they belong to it.',
    }),
  ),
});
export type DetectionMetadata = Static<typeof DetectionMetadata>;

export const ImageMetadata = Type.Object({
  id: Type.String({ description: 'File name with extension.' }),
  detections: Type.Array(DetectionMetadata),
  size: Type.Tuple([Type.Integer(), Type.Integer()], { description: '[width, height]' }),
  duration: Type.Number({ minimum: 0, description: 'Duration of detection and anonymisation in seconds.' }),
  filename: Type.String(),
  folder: Type.Union([Type.String(), Type.Null()], { description: 'Relative to the input folder.' }),
});
export type ImageMetadata = Static<typeof ImageMetadata>;

/** A detection in a frame of a video. */
export const FrameDetectionMetadata = Type.Object({
  ...DetectionMetadata.properties,
  parent_image: Type.Integer({ minimum: 0, description: 'Number of the frame, from 0.' }),
  track_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Identifies one object in all its frames; absent without tracking.',
    }),
  ),
});

export const FrameMetadata = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'Number of the frame, from 0.' }),
  detections: Type.Array(FrameDetectionMetadata),
  size: ImageMetadata.properties.size,
  duration: ImageMetadata.properties.duration,
  timestamp: Type.Optional(
    Type.Number({ description: 'Start of the frame in seconds; only with `timestamps`.' }),
  ),
});
export type FrameMetadata = Static<typeof FrameMetadata>;

export const VideoMetadata = Type.Array(FrameMetadata);
export type VideoMetadata = Static<typeof VideoMetadata>;
