import { readFileSync } from 'node:fs';
import { FlagError, variableOf, type Flag } from './flag';

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
  return new FlagError(`The configuration file ${file} has an unknown key "${key}"${hint}.`);
};

/** Reads a JSON object whose keys are names of flags. @throws FlagError */
export const readConfigFile = (file: string, flags: readonly Flag[]): Source => {
  const source = new Map<string, Given>();
  for (const [key, value] of Object.entries(readObject(file))) {
    const flag = flags.find(({ name }) => name === key);
    if (!flag) throw unknownKey(key, file, flags);
    if (value === null) continue;
    const texts = flag.repeated ? [value].flat().map(textOf) : [textOf(value)];
    source.set(flag.name, { texts, label: `"${key}" in ${file}` });
  }
  return source;
};
