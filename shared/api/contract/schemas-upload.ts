import { Type, type Static } from 'typebox';
import { DEFAULT_QUALITY, DEFAULT_THRESHOLDS, METHODS, QUALITY_PRESETS } from '../../domain/options';
import { LIMITS } from '../../domain/limits';
import { ALIAS, flag, optionalFlag, optionalText, threshold } from './schemas-parameters';

const WEBHOOK_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*$';
/** RFC 9110, section 5.6.2 */
const HEADER_NAME_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
const HEADER_VALUE_PATTERN = '^[\\t\\x20-\\x7e]+$';

/** An addition to the contract; what is not named is as the contract has it. */
const PLATES = ['usual', 'thorough'] as const;

/** Query of `POST /v1/file`. */
export const UploadQuery = Type.Object({
  method: Type.Enum([...METHODS], { default: 'blur', description: 'What is done to the objects found.' }),
  debug: flag('Draws bounding boxes and segmentation masks of the objects found.'),
  score: flag('Draws detection scores; effective only with `debug`.'),
  face: optionalFlag('Anonymise faces.'),
  'license-plate': optionalFlag('Anonymise license plates.'),
  person: optionalFlag('Anonymise persons.'),
  vehicle: optionalFlag('Anonymise vehicles.'),
  bbox: flag('Anonymise bounding boxes instead of segmentation shapes.'),
  plates: Type.Enum([...PLATES], {
    default: 'usual',
    description:
      'How license plates are told from other text; `thorough` also hides all text that is shaped and placed like one.',
  }),
  'quality-preset': Type.Enum([...QUALITY_PRESETS], {
    default: DEFAULT_QUALITY,
    description:
      'How hard objects are looked for, and so how long it takes; `fast` misses more small ones, `thorough` takes several times as long.',
  }),
  'head-fallback': flag(
    'Anonymises the heads of persons whose face is not found although it is near enough to be recognised; also of those who turn away.',
  ),
  format: Type.Optional(
    Type.String({
      title: '`whole`, `pano:N` or JSON such as {"number":[2,2],"overlap":[0.1,0.1]}',
      maxLength: LIMITS.maxJsonParameterChars,
      description: "Tiling of the image; without it, the service's own default (`--format`).",
    }),
  ),
  ignores: Type.Optional(
    Type.String({
      title: 'a JSON array of {"topLeftX":0,"topLeftY":0,"width":1,"height":1} with whole numbers',
      maxLength: LIMITS.maxJsonParameterChars,
      description: 'Areas that are not anonymised.',
    }),
  ),
  'face-threshold': threshold('faces', DEFAULT_THRESHOLDS.face),
  'person-threshold': threshold('persons', DEFAULT_THRESHOLDS.person),
  'vehicle-threshold': threshold('vehicles', DEFAULT_THRESHOLDS.vehicle),
  'license-plate-threshold': threshold('license plates', DEFAULT_THRESHOLDS['license-plate']),
  'segmentation-threshold': Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      deprecated: true,
      description: 'Stands for `person-threshold` and `vehicle-threshold` where those are not given.',
    }),
  ),
  'no-object-tracking': flag('Disables object tracking in videos.'),
  'detect-every': Type.Integer({
    minimum: 1,
    maximum: LIMITS.maxDetectEvery,
    default: 1,
    description:
      'Looks for objects in every Nth frame of a video and follows them in between: faster, but what is seen only between them is not hidden, and what is found now and then is lost more often. At most an eighth of a second lies between them; without object tracking all frames are looked at.',
  }),
  'keep-bit-rate': flag("Keeps a video's bit rate very close to the original's."),
  webhook: optionalText({
    title: 'an http or https URL',
    pattern: WEBHOOK_URL_PATTERN,
    maxLength: LIMITS.maxWebhookUrlChars,
    writeOnly: true,
    description:
      'Gets a POST when the task is `done` or `failed`, after synchronous uploads too; no notification is sent for a task deleted before its end. Redirects are not followed, and private, local and reserved addresses are refused unless the service was started with `--webhook-allow`. The page refuses this parameter: it sends nothing out by itself.',
  }),
  'webhook-auth-header-name': optionalText({
    title: 'an HTTP header name',
    pattern: HEADER_NAME_PATTERN,
    maxLength: LIMITS.maxWebhookHeaderNameChars,
    [ALIAS]: 'web-auth-header-name',
    description:
      "Name of a header sent with the notification; needs `webhook-auth-header-value`. Not one that frames the request, such as `Host` or `Content-Length`, nor one of the notification's own.",
  }),
  'webhook-auth-header-value': optionalText({
    title: 'an HTTP header value',
    pattern: HEADER_VALUE_PATTERN,
    maxLength: LIMITS.maxWebhookHeaderValueChars,
    [ALIAS]: 'web-auth-header-value',
    writeOnly: true,
    description: 'Value of that header; needs `webhook-auth-header-name`. Never logged, never shown.',
  }),
});
export type UploadQuery = Static<typeof UploadQuery>;

const ONE_OR_MORE = Type.Integer({ minimum: 1, maximum: LIMITS.maxTiles });
const OVERLAP = Type.Number({ minimum: 0, exclusiveMaximum: 1 });

/** The JSON form of `format`. */
export const GridFormat = Type.Object({
  number: Type.Tuple([ONE_OR_MORE, ONE_OR_MORE], { description: '[columns, rows]' }),
  overlap: Type.Tuple([OVERLAP, OVERLAP], { description: "Share of a tile's [width, height]." }),
});
export type GridFormat = Static<typeof GridFormat>;

const COORDINATE = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
const EXTENT = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });

/** The JSON form of `ignores`; pixels of the upright image. */
export const IgnoreAreas = Type.Array(
  Type.Object({ topLeftX: COORDINATE, topLeftY: COORDINATE, width: EXTENT, height: EXTENT }),
  { maxItems: LIMITS.maxIgnoreAreas },
);
export type IgnoreAreas = Static<typeof IgnoreAreas>;

/** Answer to an image upload. */
export const UploadResponse = Type.Object({
  content_type: Type.String(),
  id: Type.String({ format: 'uuid' }),
  metadata_url: Type.String(),
  binary_mask_url: Type.String(),
  instance_mask_url: Type.String(),
  anonymised_url: Type.String(),
});
export type UploadResponse = Static<typeof UploadResponse>;

/** Answer to a video upload. */
export const VideoUploadResponse = Type.Object({
  content_type: Type.String(),
  id: Type.String({ format: 'uuid' }),
  anonymized_video: Type.String(),
  metadata_url: Type.String(),
});
export type VideoUploadResponse = Static<typeof VideoUploadResponse>;
