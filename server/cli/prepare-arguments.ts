import { FlagError, type NamedOption } from './flag';

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
