import type { TSchema } from 'typebox';
import { ApiError } from '#shared/api/contract/errors';
import { readQuery } from '#shared/api/http/query';
import { UploadQuery } from '#shared/api/contract/schemas-upload';
import { FlagError, type Flag } from './flag';
import { notEmpty, one, onOff } from './values';

/** Upload parameters that batch mode has as flags, with the placeholders of their values in the help. */
const PARAMETERS = {
  method: '<how>',
  'face-method': '<how>',
  'license-plate-method': '<how>',
  'person-method': '<how>',
  'vehicle-method': '<how>',
  'text-method': '<how>',
  'face-threshold': '<score>',
  'license-plate-threshold': '<score>',
  'person-threshold': '<score>',
  'vehicle-threshold': '<score>',
  'text-threshold': '<score>',
  plates: '<how>',
  'quality-preset': '<preset>',
  'head-fallback': undefined,
  bbox: undefined,
  ignores: '<areas>',
  debug: undefined,
  score: undefined,
  'no-object-tracking': undefined,
  'detect-every': '<frames>',
  audio: '<what>',
  'keep-bit-rate': undefined,
} as const satisfies Partial<Record<keyof UploadQuery, string | undefined>>;

/** Flags with another name than their parameter. `quality` is not ambiguous here: batch mode sets no JPEG quality. */
const FLAG_NAMES: Readonly<Partial<Record<string, string>>> = { 'quality-preset': 'quality' };

interface Described {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly title?: string;
  readonly type?: string;
  readonly default?: unknown;
}

const helpOf = (schema: TSchema): string => {
  const { description = '', enum: choices, title, type, default: value } = schema as Described;
  const said = `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '').replaceAll('`', '')}`;
  const allowed = choices?.join(', ') ?? title;
  const byDefault = type === 'boolean' || value === undefined ? '' : ` (${String(value)})`;
  return `${said}${allowed === undefined ? '' : `: ${allowed}`}${byDefault}`;
};

/** Reads a parameter with the API's parser, so that both accept the same values. */
const readParameter = (name: string, text: string, label: string): Partial<UploadQuery> => {
  try {
    return readQuery(UploadQuery, `?${name}=${encodeURIComponent(notEmpty(text, label))}`);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace(`\`${name}\``, label));
    throw error;
  }
};

const parameterFlag = ([name, value]: readonly [string, string | undefined]): Flag => ({
  name: FLAG_NAMES[name] ?? name,
  ...(value === undefined ? {} : { value }),
  help: helpOf(UploadQuery.properties[name as keyof UploadQuery]),
  read: one(
    (text, label) => readParameter(name, text, label),
    (upload) => ({ upload }),
  ),
});

/** Flags of batch mode only. */
export const BATCH_FLAGS: readonly Flag[] = [
  ...Object.entries(PARAMETERS).map(parameterFlag),
  {
    name: 'save-metadata',
    help: 'writes the detections of each image and frame as JSON beside the result',
    read: one(onOff, (saveMetadata) => ({ saveMetadata })),
  },
  {
    name: 'save-report',
    help: 'writes a report of each file beside the result, as JSON and as a page for printing; sign them with --report-key',
    read: one(onOff, (saveReport) => ({ saveReport })),
  },
  {
    name: 'edits',
    value: '<file>',
    help: 'JSON file with edits for the result of a single file, in the form of the API (none)',
    read: one(notEmpty, (editsFile) => ({ editsFile })),
  },
  {
    name: 'json',
    help: 'prints events as JSON, one object per line',
    read: one(onOff, (json) => ({ json })),
  },
];
