import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { FlagError, variableOf, type Flag } from './flag';

/** What was given for a flag, and how it was spelt there. */
export interface Given {
  readonly texts: readonly string[];
  readonly label: string;
}
/** By the flag's name. */
export type Source = ReadonlyMap<string, Given>;

/** The command line, cut into words. */
export interface CommandLine {
  readonly flags: Source;
  readonly positionals: readonly string[];
}

const SWITCHED_ON = 'true';
/** Flags that say what to do rather than how; `config` says where more of them are. */
const OTHER_OPTIONS = {
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  config: { type: 'string' },
} as const;

const optionsOf = (flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    flags.map(({ name, short, value }) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        multiple: true,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );

const parse = (args: readonly string[], flags: readonly Flag[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: { ...optionsOf(flags), ...OTHER_OPTIONS },
      allowPositionals: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own message goes on to advise; its first sentence is what is wrong.
    const [sentence = ''] = error.message.split(/\.\s|\n/);
    throw new FlagError(`${sentence.replace(/\.$/, '')}; see --help.`);
  }
};

/** @throws FlagError */
export const readCommandLine = (args: readonly string[], flags: readonly Flag[]): CommandLine => {
  const { values, positionals } = parse(args, flags);
  const given = Object.entries(values).map(([name, value]): [string, Given] => {
    const texts = [value ?? []].flat().map((each) => (each === true ? SWITCHED_ON : String(each)));
    return [name, { texts, label: `--${name}` }];
  });
  return { flags: new Map(given), positionals };
};

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
