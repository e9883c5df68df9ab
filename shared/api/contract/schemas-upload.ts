import { Type, type Static } from 'typebox';
import { HIDING_METHODS, METHODS } from '../../catalogue/methods';
import { DEFAULT_QUALITY, DEFAULT_THRESHOLDS, QUALITY_PRESETS } from '../../domain/options';
import { LIMITS } from '../../domain/limits';
import { show } from './schemas-subjects';
import { ALIAS, flag, optionalFlag, optionalText, threshold } from './schemas-parameters';

const WEBHOOK_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*$';
/** RFC 9110, section 5.6.2 */
const HEADER_NAME_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
const HEADER_VALUE_PATTERN = '^[\\t\\x20-\\x7e]+$';

/** Values of `plates`, an addition to the contract. Without this parameter, behaviour is that of the contract. */
const PLATES = ['usual', 'thorough'] as const;

/** What happens to the audio of a video. */
const AUDIO = ['keep', 'mute'] as const;

const classMethod = (objects: string, verb = 'are') =>
  Type.Optional(
    Type.Enum([...HIDING_METHODS], {
      description: `How ${objects} ${verb} anonymised; if absent, as \`method\` says.`,
    }),
  );

/** Query of `POST /v1/file`. */
export const UploadQuery = Type.Object({
  method: Type.Enum([...METHODS], {
    default: 'blur',
    description: 'How detected objects are anonymised; `detect` only detects them.',
  }),
  'face-method': classMethod('faces'),
  'license-plate-method': classMethod('license plates'),
  'person-method': classMethod('persons'),
  'vehicle-method': classMethod('vehicles'),
  'text-method': classMethod('text', 'is'),
  debug: flag('Draws the bounding boxes and segmentation masks of detected objects.'),
  score: flag('Draws detection scores; effective only with `debug`.'),
  face: optionalFlag('Anonymises faces.'),
  'license-plate': optionalFlag('Anonymises license plates.'),
  person: optionalFlag('Anonymises persons.'),
  vehicle: optionalFlag('Anonymises vehicles.'),
  text: optionalFlag(
    'Anonymises all legible text; off unless it is switched on, or the request names no class and the service was started with `-a text`. Text on an anonymised license plate is not reported separately.',
  ),
  bbox: flag('Anonymises bounding boxes instead of segmentation shapes.'),
  plates: Type.Enum([...PLATES], {
    default: 'usual',
    description:
      'How license plates are distinguished from other text; `thorough` also hides all text with the shape and position of a plate.',
  }),
  'quality-preset': Type.Enum([...QUALITY_PRESETS], {
    default: DEFAULT_QUALITY,
    description:
      'Trade-off between speed and detection rate; `fast` misses more small objects, `thorough` takes several times as long.',
  }),
  'head-fallback': flag(
    'Anonymises the heads of persons without a detected face who are near enough to be recognised, including those who turn away.',
  ),
  format: Type.Optional(
    Type.String({
      title: '`whole`, `pano:N` or JSON such as {"number":[2,2],"overlap":[0.1,0.1]}',
      maxLength: LIMITS.maxJsonParameterChars,
      description: 'Tiling of the image; if absent, the `--format` of the service.',
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
  'text-threshold': threshold('text', DEFAULT_THRESHOLDS.text),
  'segmentation-threshold': Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      deprecated: true,
      description: 'Value of `person-threshold` and `vehicle-threshold` where these are absent.',
    }),
  ),
  'no-object-tracking': flag('Disables object tracking in videos.'),
  'detect-every': Type.Integer({
    minimum: 1,
    maximum: LIMITS.maxDetectEvery,
    default: 1,
    description:
      'Detects objects in every Nth frame of a video and tracks them in between: faster, but objects that appear only between these frames are not hidden, and objects that are detected now and then are lost more often. The interval never exceeds an eighth of a second; without object tracking, the detectors run on all frames.',
  }),
  'keep-metadata': optionalFlag(
    'Keeps camera and GPS fields of an image in its result; if absent, as the service is configured.',
  ),
  audio: Type.Enum([...AUDIO], {
    default: 'keep',
    description: 'What happens to the audio of a video; `mute` removes all audio tracks.',
  }),
  'keep-bit-rate': flag("Keeps a video's bit rate very close to that of the original."),
  show,
  webhook: optionalText({
    title: 'an http or https URL',
    pattern: WEBHOOK_URL_PATTERN,
    maxLength: LIMITS.maxWebhookUrlChars,
    writeOnly: true,
    description:
      'Receives a POST when the task is `done` or `failed`, also after synchronous uploads, and when an edit of its result has ended; no notification is sent for a task deleted before its end. Redirects are not followed. Private, local and reserved addresses are refused unless the service was started with `--webhook-allow`. The page refuses this parameter, because it sends no notifications.',
  }),
  'webhook-auth-header-name': optionalText({
    title: 'an HTTP header name',
    pattern: HEADER_NAME_PATTERN,
    maxLength: LIMITS.maxWebhookHeaderNameChars,
    [ALIAS]: 'web-auth-header-name',
    description:
      "Name of a header sent with the notification; requires `webhook-auth-header-value`. Headers that frame the request, such as `Host` or `Content-Length`, and the notification's own headers are refused.",
  }),
  'webhook-auth-header-value': optionalText({
    title: 'an HTTP header value',
    pattern: HEADER_VALUE_PATTERN,
    maxLength: LIMITS.maxWebhookHeaderValueChars,
    [ALIAS]: 'web-auth-header-value',
    writeOnly: true,
    description:
      'Value of that header; requires `webhook-auth-header-name`. It is never logged and never returned.',
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

/** Pixels of the upright image. */
export const IgnoreArea = Type.Object({
  topLeftX: COORDINATE,
  topLeftY: COORDINATE,
  width: EXTENT,
  height: EXTENT,
});
/** The JSON form of `ignores`. */
export const IgnoreAreas = Type.Array(IgnoreArea, { maxItems: LIMITS.maxIgnoreAreas });
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
