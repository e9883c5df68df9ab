import { readFileSync } from 'node:fs';
import { FlagError, variableOf, type Flag } from './flag';

/** What was given for a flag, and how it was spelt there. */
export interface Given {
  readonly texts: readonly string[];
  readonly label: string;
}
/** By the flag's name. */
export type Source = ReadonlyMap<string, Given>;

/** How the command line says that a switch is on. */
const SWITCHED_ON = 'true';

/** What the command line gives. @param typed values by the names of options */
export const readTyped = (typed: Readonly<Record<string, unknown>>, flags: readonly Flag[]): Source =>
  new Map(
    flags
      .filter(({ name }) => typed[name] !== undefined)
      .map(({ name }): [string, Given] => {
        const texts = [typed[name]].flat().map((each) => (each === true ? SWITCHED_ON : String(each)));
        return [name, { texts, label: `--${name}` }];
      }),
  );

/** Compose files set variables to nothing where they have nothing to say: that is not given. */
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

/** Tilings and areas are JSON in flags, and may be written plainly in a file that is JSON itself. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Reads a JSON object whose keys are names of flags, with dashes or underscores.
 *
 * @throws FlagError
 */
export const readConfigFile = (file: string, flags: readonly Flag[]): Source => {
  const source = new Map<string, Given>();
  for (const [key, value] of Object.entries(readObject(file))) {
    const flag = flags.find(({ name }) => name === key.replaceAll('_', '-'));
    if (!flag) throw new FlagError(`The configuration file ${file} has an unknown key "${key}".`);
    if (value === null) continue;
    const texts = flag.repeated ? [value].flat().map(textOf) : [textOf(value)];
    source.set(flag.name, { texts, label: `"${key}" in ${file}` });
  }
  return source;
};
