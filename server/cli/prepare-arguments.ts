import { FlagError, type NamedOption } from './flag';

const nameOf = ({ name, short }: NamedOption): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}`;

const wrong = (problem: string): FlagError => new FlagError(`${problem}; see --help.`);

/** An option that stands alone, and has its value behind it. */
const findAlone = (options: readonly NamedOption[], arg: string): NamedOption | undefined =>
  options.find(
    ({ name, short, value }) => value !== undefined && (arg === `--${name}` || arg === `-${short}`),
  );

/** An option and its value in one word: `-aface`. */
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
 * Writes each option and its value as one word, `--port=7000`.
 *
 * yargs takes a missing value for an empty one, a value for a switch as "off", and whether it takes `-1d` for a value
 * depends on its second character. Here each is refused, in one sentence.
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
