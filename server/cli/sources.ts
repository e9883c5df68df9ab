import { readFileSync } from 'node:fs';
import { FlagError, variableOf, type Flag, type NamedOption } from './flag';

const nameOf = ({ name, short }: NamedOption): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}`;

const wrong = (problem: string): FlagError => new FlagError(`${problem}; see --help.`);

/** The option that a word names, if its value is the next word. */
const findAlone = (options: readonly NamedOption[], arg: string): NamedOption | undefined =>
  options.find(
    ({ name, short, value }) => value !== undefined && (arg === `--${name}` || arg === `-${short}`),
  );

/** Splits a word that contains a short option and its value: `-aface`. */
const splitShort = (options: readonly NamedOption[], arg: string): string | undefined => {
  const [, letter, rest = ''] = /^-([^-])([\s\S]+)$/.exec(arg) ?? [];
  const option = letter && options.find(({ short, value }) => value !== undefined && short === letter);
  return option ? `--${option.name}=${rest}` : undefined;
};

const refuseValueOfSwitch = (options: readonly NamedOption[], arg: string): void => {
  const [, name] = /^--([^=]+)=/.exec(arg) ?? [];
  const option = options.find((each) => each.name === name && each.value === undefined);
  if (option) throw wrong(`Option '${nameOf(option)}' does not take an argument`);
};

/**
 * Joins each option and its value to one word, such as `--port=7000`.
 *
 * yargs treats a missing value as an empty one and a value of a switch as "off", and accepts `-1d` as a value depending
 * on its second character. Here all of these are refused in one sentence.
 *
 * @throws FlagError
 */
export const prepareArguments = (args: readonly string[], options: readonly NamedOption[]): string[] => {
  const end = args.indexOf('--');
  const [own, rest] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const prepared: string[] = [];
  for (let i = 0; i < own.length; i += 1) {
    const arg = own[i]!;
    refuseValueOfSwitch(options, arg);
    const option = findAlone(options, arg);
    if (!option) {
      prepared.push(splitShort(options, arg) ?? arg);
      continue;
    }
    const value = args[(i += 1)];
    if (value === undefined) throw wrong(`Option '${nameOf(option)} <value>' argument missing`);
    if (/^-./s.test(value)) throw wrong(`Option '${arg}' argument is ambiguous`);
    prepared.push(`--${option.name}=${value}`);
  }
  return [...prepared, ...rest];
};

/** The texts of a setting, and its name in that source. */
export interface Given {
  readonly texts: readonly string[];
  readonly label: string;
}
/** Given settings by the flag's name. */
export type Source = ReadonlyMap<string, Given>;

/** Text of a switch that is given on the command line. */
const SWITCHED_ON = 'true';

/** Settings of the command line. @param typed values by the names of options */
export const readTyped = (typed: Readonly<Record<string, unknown>>, flags: readonly Flag[]): Source =>
  new Map(
    flags
      .filter(({ name }) => typed[name] !== undefined)
      .map(({ name }): [string, Given] => {
        const texts = [typed[name]].flat().map((each) => (each === true ? SWITCHED_ON : String(each)));
        return [name, { texts, label: `--${name}` }];
      }),
  );

/** Settings of the environment. Empty variables are ignored, because compose files set variables that have no value. */
export const readEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly Flag[],
): Source => {
  const source = new Map<string, Given>();
  for (const flag of flags) {
    const label = variableOf(flag);
    const text = environment[label]?.trim() ?? '';
    const texts = flag.repeated ? text.split(/[\s,]+/) : [text];
    if (text !== '') source.set(flag.name, { texts, label });
  }
  return source;
};

const readObject = (file: string): Readonly<Record<string, unknown>> => {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new FlagError(`The configuration file ${file} cannot be read.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FlagError(`The configuration file ${file} is not JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FlagError(`The configuration file ${file} must hold one JSON object.`);
  }
  return value as Readonly<Record<string, unknown>>;
};

/** The text of a value. Tilings and areas, which are JSON texts in flags, may be plain JSON in the file. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const unknownKey = (key: string, file: string, flags: readonly Flag[]): FlagError => {
  const meant = flags.find(({ name }) => name === key.replaceAll('_', '-'));
  const hint = meant ? `: write "${meant.name}"` : '';
  return new FlagError(`${file} has an unknown key "${key}"${hint}.`);
};

/**
 * Settings of a file by names of flags.
 *
 * @param file what it is, and its path, for messages @throws FlagError
 */
export const readKeys = (
  values: Iterable<readonly [unknown, unknown]>,
  { what, path }: { readonly what: string; readonly path: string },
  flags: readonly Flag[],
): Source => {
  const source = new Map<string, Given>();
  for (const [key, value] of values) {
    const flag = flags.find(({ name }) => name === key);
    if (!flag) throw unknownKey(String(key), `${what} ${path}`, flags);
    if (value === null) continue;
    const texts = flag.repeated ? [value].flat().map(textOf) : [textOf(value)];
    source.set(flag.name, { texts, label: `"${flag.name}" in ${path}` });
  }
  return source;
};

/** Reads a JSON object whose keys are names of flags. @throws FlagError */
export const readConfigFile = (path: string, flags: readonly Flag[]): Source =>
  readKeys(Object.entries(readObject(path)), { what: 'The configuration file', path }, flags);
