import type { TSchema } from 'typebox';
import { ApiError } from '#shared/api/contract/errors';
import { readQuery } from '#shared/api/http/query';
import { UploadQuery } from '#shared/api/contract/schemas-upload';
import { FlagError, type Flag } from './flag';
import { notEmpty, one, onOff } from './values';

/** Parameters of an upload that batch mode takes as flags, and what stands behind each in the help. */
const PARAMETERS = {
  method: '<how>',
  'face-threshold': '<score>',
  'license-plate-threshold': '<score>',
  'person-threshold': '<score>',
  'vehicle-threshold': '<score>',
  plates: '<how>',
  'quality-preset': '<preset>',
  'head-fallback': undefined,
  bbox: undefined,
  ignores: '<areas>',
  debug: undefined,
  score: undefined,
  'no-object-tracking': undefined,
  'detect-every': '<frames>',
  'keep-bit-rate': undefined,
} as const satisfies Partial<Record<keyof UploadQuery, string | undefined>>;

/** Flags that are named otherwise than the parameter: no picture's quality is chosen here that could be meant. */
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

/** Reads an upload's parameter as the API does, so that both take and refuse the same. */
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

/** Flags that mean something to batch mode alone. */
export const BATCH_FLAGS: readonly Flag[] = [
  ...Object.entries(PARAMETERS).map(parameterFlag),
  {
    name: 'save-metadata',
    help: 'writes the detections of each image and frame as JSON beside the result',
    read: one(onOff, (saveMetadata) => ({ saveMetadata })),
  },
  {
    name: 'json',
    help: 'prints events as JSON, one object per line',
    read: one(onOff, (json) => ({ json })),
  },
];
