import { IMAGE_RESULT_FORMATS } from './formats';
import { HIDING_METHODS, METHODS } from './methods';
import type { ParameterEntry } from './parameter-entry';

export const UUID_PATTERN = '^[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$';

/** Longest `format`, `ignores` or `hides` text. */
export const MAX_JSON_CHARS = 100_000;
/** One line of text: also no lone surrogates, which UTF-8 cannot hold, and no characters that turn its direction. */
export const ONE_LINE = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+$`;
const lineOf = (maxLength: number) =>
  ({
    type: 'text',
    form: `a text of 1 to ${maxLength} characters without control characters`,
    pattern: ONE_LINE,
    maxLength,
  }) as const;
/** Longest text about a case. */
export const MAX_CASE_CHARS = 200;
const CASE_TEXT = lineOf(MAX_CASE_CHARS);
/** Longest `text-match` or `text-keep`. */
const MAX_MATCH_CHARS = 500;
/** Longest code of a reason. */
export const MAX_CODE_CHARS = 32;
const SCORE = { type: 'number', min: 0, max: 1 } as const;
/** Never below 1: the usual shapes are measured, and smaller ones show parts of objects. */
const MARGIN = { type: 'number', min: 1, max: 2 } as const;
/** Of what decides which text is hidden. */
const OF_READ_TEXT = { on: 'images', isUnreported: true, control: 'own' } as const;
const OFF = { type: 'flag', default: false } as const;

/**
 * All parameters of `POST /v1/file`, in the order of the API's description. `{class}` stands for each class.
 *
 * One name from end to end: `quality-preset` in requests, flags and reports is `qualityPreset` in options and settings.
 */
export const PARAMETER_TABLE = {
  method: {
    value: { type: 'choice', of: METHODS, default: 'blur' },
    description: 'How detected objects are anonymised; `detect` only detects them.',
    on: 'all',
    cli: { value: '<how>' },
    control: 'own',
  },
  '{class}-method': {
    value: { type: 'choice', of: HIDING_METHODS },
    description: 'How {objects} are anonymised; if absent, as `method` says.',
    on: 'all',
    cli: { value: '<how>' },
  },
  debug: {
    value: OFF,
    description: 'Draws the bounding boxes and segmentation masks of detected objects.',
    on: 'all',
    cli: {},
  },
  score: {
    value: OFF,
    description: 'Draws detection scores; effective only with `debug`.',
    on: 'all',
    cli: {},
  },
  '{class}': { value: { type: 'flag' }, description: 'Anonymises {objects}.', on: 'all' },
  bbox: {
    value: OFF,
    description: 'Anonymises bounding boxes instead of segmentation shapes.',
    on: 'all',
    cli: {},
  },
  margin: {
    value: MARGIN,
    description:
      'How many times as wide and as high as usual the shapes are that anonymise objects, about their middles; if absent, 1.',
    on: 'all',
    cli: { value: '<factor>' },
    control: 'own',
  },
  '{class}-margin': {
    value: MARGIN,
    description: 'The same for {objects}; if absent, as `margin` says.',
    on: 'all',
    cli: { value: '<factor>' },
  },
  plates: {
    value: { type: 'choice', of: ['usual', 'thorough'], default: 'usual' },
    description:
      'How license plates are distinguished from other text; `thorough` also hides all text with the shape and position of a plate.',
    on: 'all',
    cli: { value: '<how>' },
  },
  'quality-preset': {
    value: { type: 'choice', of: ['fast', 'balanced', 'thorough'], default: 'balanced' },
    description:
      'Trade-off between speed and detection rate; `fast` misses more small objects. `thorough` searches as `balanced` does, with the models of packs that name it.',
    on: 'all',
    // `quality` is not ambiguous there: the command sets no JPEG quality.
    cli: { name: 'quality', value: '<preset>' },
    control: 'own',
  },
  'head-fallback': {
    value: OFF,
    description:
      'Anonymises the heads of persons without a detected face who are near enough to be recognised, including those who turn away.',
    on: 'all',
    cli: {},
    control: 'checkbox',
    needs: 'face',
  },
  format: {
    value: {
      type: 'text',
      form: '`whole`, `auto`, `guess`, `pano:N` or JSON such as {"number":[2,2],"overlap":[0.1,0.1]}',
      maxLength: MAX_JSON_CHARS,
    },
    description:
      'Tiling of the image or video; if absent, the `--format` of the service. `auto`: a file that says it is an equirectangular panorama (`GPano`, `sv3d`) is searched as one, any other as `whole`. `guess`: a file that says nothing is, too, if it is at least 4,096 px wide and twice as wide as high.',
    on: 'all',
  },
  ignores: {
    value: {
      type: 'text',
      form: 'a JSON array of {"topLeftX":0,"topLeftY":0,"width":1,"height":1} with whole numbers',
      maxLength: MAX_JSON_CHARS,
    },
    description: 'Areas that are not anonymised.',
    on: 'all',
    cli: { value: '<areas>' },
  },
  hides: {
    value: {
      type: 'text',
      form: 'a JSON array of areas such as {"topLeftX":0,"topLeftY":0,"width":1,"height":1} or {"points":[[0,0],[9,0],[0,9]]}, with `unit`, `start`, `end` and `method` if wanted',
      maxLength: MAX_JSON_CHARS,
    },
    description:
      'Areas that are always anonymised, also where `ignores` or `show` would leave them visible: boxes or polygons in pixels, or in shares of the sides with `"unit":"fraction"`; in videos from `start` to `end` in seconds.',
    on: 'all',
    cli: { value: '<areas>' },
  },
  'text-match': {
    value: {
      type: 'text',
      form: 'a list of `email`, `phone`, `card`, `iban` and `date`, or an expression of RE2 between slashes',
      maxLength: MAX_MATCH_CHARS,
    },
    description:
      'What text must contain to be anonymised, in images with `text`: text is read, and other lines stay visible; those that cannot be read do not. If absent, all text is anonymised.',
    cli: { value: '<what>' },
    ...OF_READ_TEXT,
  },
  'text-keep': {
    value: lineOf(MAX_MATCH_CHARS),
    description: 'Words in images with `text`: lines that consist of them stay visible.',
    cli: { value: '<words>' },
    ...OF_READ_TEXT,
  },
  '{class}-threshold': {
    value: { ...SCORE, default: 'threshold' },
    description: 'Minimum score of detected {objects}.',
    on: 'all',
    cli: { value: '<score>' },
  },
  reasons: {
    value: {
      type: 'text',
      form: 'a JSON array of {"code":"b6","label":"Personal privacy"} with different codes',
      maxLength: MAX_JSON_CHARS,
    },
    description:
      'Codes of reasons for which objects are anonymised, as a JSON array of objects with `code`, `label` and, if wanted, `legal_basis` and `colour`; if absent, the `--reasons` of the service. Edits name these codes, and report and log contain them.',
    // An option, but not as the text that it is here.
    on: 'none',
  },
  '{class}-reason': {
    value: lineOf(MAX_CODE_CHARS),
    description:
      'Reason for which {objects} are anonymised, unless an edit says another: a code of `reasons`.',
    on: 'all',
    cli: { value: '<code>' },
  },
  'reason-labels': {
    value: OFF,
    description: 'Writes the code of its reason over each mask that is at least 24 pixels high.',
    on: 'all',
    cli: {},
    control: 'own',
  },
  'case-number': {
    value: CASE_TEXT,
    description: 'Number of the case to which the file belongs, for report and log.',
    on: 'all',
    cli: { value: '<text>' },
  },
  requester: {
    value: CASE_TEXT,
    description: 'Who requested the file, for report and log.',
    on: 'all',
    cli: { value: '<text>' },
  },
  recipient: {
    value: CASE_TEXT,
    description: 'Who receives the result, for report and log.',
    on: 'all',
    cli: { value: '<text>' },
  },
  operator: {
    value: CASE_TEXT,
    description: 'Who anonymises the file, for report and log.',
    on: 'all',
    cli: { value: '<text>' },
  },
  'segmentation-threshold': {
    value: SCORE,
    description: 'Value of `person-threshold` and `vehicle-threshold` where these are absent.',
    on: 'none',
    isDeprecated: true,
  },
  'no-object-tracking': {
    value: OFF,
    description: 'Disables object tracking in videos.',
    on: 'videos',
    cli: {},
  },
  'detect-every': {
    value: { type: 'number', min: 1, max: 30, whole: true, default: 1 },
    description:
      'Detects objects in every Nth frame of a video and tracks them in between: faster, but objects that appear only between these frames are not hidden, and objects that are detected now and then are lost more often. The interval never exceeds an eighth of a second; without object tracking, the detectors run on all frames.',
    on: 'videos',
    cli: { value: '<frames>' },
  },
  'keep-metadata': {
    value: { type: 'flag' },
    description:
      'Keeps camera, date, GPS and panorama fields of an image, or date and positions of a video, in its result; if absent, as the service is configured.',
    on: 'all',
    control: 'checkbox',
    section: 'metadata',
  },
  'result-format': {
    value: { type: 'choice', of: ['same', ...IMAGE_RESULT_FORMATS] },
    description:
      'Format of the result of an image; `same` is that of the upload. If absent, PNG for uploads that are PNG or have transparency, JPEG for all others. A format that the service cannot write is refused.',
    on: 'images',
    cli: { value: '<format>' },
  },
  'jpeg-copy': {
    value: OFF,
    description:
      'Copies the blocks of a JPEG file that redaction does not touch, so that the rest of the image is unchanged and not encoded again. Ignored for files that are rotated, have a colour profile or are no JPEG, and for results that are no JPEG.',
    on: 'images',
    cli: {},
  },
  audio: {
    value: { type: 'choice', of: ['keep', 'mute'], default: 'keep' },
    description: 'What happens to the audio of a video; `mute` removes all audio tracks.',
    on: 'videos',
    cli: { value: '<what>' },
    control: 'checkbox',
  },
  'keep-bit-rate': {
    value: OFF,
    description: "Keeps a video's bit rate very close to that of the original.",
    on: 'videos',
    cli: {},
  },
  preview: {
    value: { type: 'number', min: 0.1, max: 3_600 },
    description:
      'Seconds at the beginning of a video that are anonymised; its result ends there. Record and report say so. If absent, the whole video.',
    on: 'videos',
  },
  show: {
    value: { type: 'text', form: 'the id of a subject', pattern: UUID_PATTERN },
    description:
      'Subject (`POST /v1/subjects`) whose face is not anonymised; all other faces are. In doubt the face is anonymised, and in videos always without object tracking.',
    on: 'all',
    isUnreported: true,
  },
  webhook: {
    value: {
      type: 'text',
      form: 'an http or https URL',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*$',
      maxLength: 2_048,
    },
    description:
      'Receives a POST when the task is `done` or `failed`, also after synchronous uploads, and when an edit of its result has ended; no notification is sent for a task deleted before its end. Redirects are not followed. Private, local and reserved addresses are refused unless the service was started with `--webhook-allow`. The page refuses this parameter, because it sends no notifications.',
    on: 'none',
    isSecret: true,
  },
  'webhook-auth-header-name': {
    value: {
      type: 'text',
      form: 'an HTTP header name',
      // RFC 9110, section 5.6.2
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      maxLength: 128,
    },
    description:
      "Name of a header sent with the notification; requires `webhook-auth-header-value`. Headers that frame the request, such as `Host` or `Content-Length`, and the notification's own headers are refused.",
    on: 'none',
    alias: 'web-auth-header-name',
  },
  'webhook-auth-header-value': {
    value: {
      type: 'text',
      form: 'an HTTP header value',
      pattern: '^[\\t\\x20-\\x7e]+$',
      maxLength: 4_096,
    },
    description:
      'Value of that header; requires `webhook-auth-header-name`. It is never logged and never returned.',
    on: 'none',
    alias: 'web-auth-header-value',
    isSecret: true,
  },
} as const satisfies Record<string, ParameterEntry>;
