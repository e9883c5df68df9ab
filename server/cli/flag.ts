import type { Change } from './config';
import { parseFlag, quoted } from '#shared/api/http/query';
import { readFileSync } from 'node:fs';

/** A wrong flag or setting; the message is one sentence for the user. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * Parses the texts of a setting.
 *
 * @param texts one text, or several of a repeated flag
 * @param label the setting's name in its source, for messages: `--port`, `VEIL_PORT`, `port` of a file
 * @throws FlagError
 */
export type Reader = (texts: readonly string[], label: string) => Change;

/** An option of the command line. */
export interface NamedOption {
  /** Name without the leading dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in the help, such as `<number>`; undefined: a switch. */
  readonly value?: string;
  /** Description in the help, with the default in brackets at its end. */
  readonly help: string;
}

/** A setting. One name for its flag, its environment variable and its key in a configuration file. */
export interface Flag extends NamedOption {
  readonly repeated?: true;
  readonly read: Reader;
}

/** @param form its name and the placeholder of its value, as in the help: `port <number>`; a switch has no value */
export const flag = (
  form: string,
  help: string,
  read: Reader,
  more: Pick<Flag, 'short' | 'repeated'> = {},
): Flag => {
  const [, name = '', value] = /^(\S+)(?: (.+))?$/.exec(form) ?? [];
  return { name, ...(value !== undefined && { value }), help, read, ...more };
};

/** The name of a setting's environment variable. */
export const variableOf = ({ name }: NamedOption): string =>
  `VEIL_${name.replaceAll('-', '_').toUpperCase()}`;

/** Secret settings, which can also be read from a file, as container platforms provide them. */
export const SECRETS = ['token', 'tokens', 'webhook-secret', 'database', 'queue'] as const;

/** Name of the flag for a secret's file. */
export const secretFileFlag = (name: (typeof SECRETS)[number]): string => `${name}-file`;

const readSecret = (file: string, label: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new FlagError(`The file ${file} of ${label} cannot be read.`);
  }
};

/** Reads a secret from the file that a setting names. @param parse must not put the secret into its error message */
export const fromFile =
  <T>(parse: (text: string, label: string) => T) =>
  (file: string, label: string): T =>
    parse(readSecret(file, label), `The content of the file of ${label}`);

/** Parses one text. @throws FlagError whose message begins with `label` */
type Parse<T> = (text: string, label: string) => T;

/** A reader of a setting with one value: the last of several texts is used. */
export const lastOf =
  <T>(parse: Parse<T>, change: (value: T) => Change): Reader =>
  (texts, label) =>
    change(parse(texts.at(-1) ?? '', label));

/** The error for an invalid text. */
export const valueError = (label: string, allowed: string, came: string): FlagError =>
  new FlagError(`${label} must be ${allowed}, not ${quoted(came)}.`);

export const oneOf =
  <const T extends string>(choices: readonly T[]): Parse<T> =>
  (text, label) => {
    const choice = choices.find((each) => each === text);
    if (choice === undefined) throw valueError(label, `one of ${choices.join(', ')}`, text);
    return choice;
  };

export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text, label) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw valueError(label, `a whole number from ${min} to ${max}`, text);
    }
    return value;
  };

export const notEmpty: Parse<string> = (text, label) => {
  if (text.trim() === '') throw new FlagError(`${label} must not be empty.`);
  return text;
};

/** Parses a switch: without a value on the command line, elsewhere `true`, `1`, `yes`, `on` or their opposites. */
export const onOff: Parse<boolean> = (text, label) => {
  const value = parseFlag(text);
  if (value === undefined) throw valueError(label, 'true or false', text);
  return value;
};

/** Parses a number with a unit. @param units factors by unit in lower case; `''` for a number without a unit */
const withUnit = (text: string, units: Readonly<Record<string, number>>): number | undefined => {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor;
};

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const DURATIONS = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 60 * 60 * SECOND_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** @returns milliseconds; `NaN` where the text is no duration */
export const durationMs = (text: string): number => withUnit(text, DURATIONS) ?? NaN;

/** A parser of durations. @returns milliseconds */
export const duration =
  (maxDays: number): Parse<number> =>
  (text, label) => {
    const ms = durationMs(text);
    if (!(ms >= SECOND_MS && ms <= maxDays * DAY_MS)) {
      throw valueError(label, `a duration from 1s to ${maxDays}d, such as 30m, 12h or 7d`, text);
    }
    return Math.round(ms);
  };

/** Parses the time of a task: a duration, or one and another for each megapixel, as in `10m+60s/MP`. */
export const taskTime =
  (maxDays: number): Parse<{ taskTimeoutMs: number; taskTimeoutMsPerMegapixel: number }> =>
  (text, label) => {
    const [, base = text, more] = /^(.+?)\s*\+\s*(.+?)\s*\/\s*MP$/i.exec(text.trim()) ?? [];
    return {
      taskTimeoutMs: duration(maxDays)(base, label),
      taskTimeoutMsPerMegapixel: more === undefined ? 0 : duration(1)(more, label),
    };
  };

/** Bytes by unit: decimal, or binary with an `i`. */
const SIZES = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};
const MAX_SIZE_BYTES = 1024 ** 4;

/** Parses a size. @returns bytes */
export const size: Parse<number> = (text, label) => {
  const bytes = withUnit(text, SIZES);
  if (bytes === undefined || bytes < 1 || bytes > MAX_SIZE_BYTES) {
    throw valueError(label, 'a size from 1B to 1TiB, such as 500MB or 2GiB', text);
  }
  return Math.round(bytes);
};

const PIXELS = { '': 1, mp: 1e6, gp: 1e9 };

export const pixels =
  (max: number): Parse<number> =>
  (text, label) => {
    const count = withUnit(text, PIXELS);
    if (count === undefined || count < 1 || count > max || !Number.isInteger(count)) {
      throw valueError(label, `a number of pixels from 1 to ${max}, such as 24MP`, text);
    }
    return count;
  };
