import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiError } from '#shared/api/errors';
import { parseTiling } from '#shared/api/image-options';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/pipeline/object-class';
import type { Tiling } from '#shared/pipeline/options';
import { SAVE_MASK_CHOICES } from '#shared/tasks/settings';
import { defaultConfig, type Config } from './config';

/** A flag that cannot be obeyed; the message is one sentence for whoever typed it. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export type Command =
  | { readonly kind: 'serve'; readonly config: Config }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

const OPTIONS = {
  api: { type: 'boolean' },
  'api-endpoint': { type: 'string' },
  anonymise: { type: 'string', short: 'a', multiple: true },
  format: { type: 'string' },
  'save-mask': { type: 'string' },
  input: { type: 'string', short: 'i' },
  output: { type: 'string', short: 'o' },
  host: { type: 'string' },
  port: { type: 'string' },
  hold: { type: 'string' },
  'sync-when-busy': { type: 'string' },
  workers: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const satisfies NonNullable<ParseArgsConfig['options']>;

export const HELP = `Hides faces, license plates, persons and vehicles in pictures, on your own machine.

  veil [flags]

  --host <address>          address to listen on (127.0.0.1)
  --port <number>           port to listen on, 0 for any that is free (7000)
  -a, --anonymise <class>   class to process: ${OBJECT_CLASSES.join(', ')}; repeat it for several (all)
  --format <tiling>         how pictures are cut where a request does not say: whole, pano:N or JSON (whole)
  --save-mask <which>       masks kept beside each result: all, binary, instance or none (none)
  -i, --input <folder>      where uploads are kept until their task is deleted (.veil/input)
  -o, --output <folder>     where results are kept until their task is deleted (.veil/output)
  --api-endpoint <URL>      address put into download links (the address listened on)
  --hold <all|latest>       keep every result, or only the latest picture's (all)
  --sync-when-busy <what>   what a synchronous upload gets while another is processed: refuse or queue (refuse)
  --workers <number>        pictures processed at once (half the cores)
  --api                     accepted for compatibility: the API is always served
  --help, --version
`;

const MAX_PORT = 65_535;
const MAX_WORKERS = 64;

const oneOf = <T extends string>(flag: string, text: string, choices: readonly T[]): T => {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) {
    throw new FlagError(`${flag} must be one of ${choices.join(', ')}, not "${text}".`);
  }
  return choice;
};

const wholeNumber = (flag: string, text: string, min: number, max: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new FlagError(`${flag} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
};

const notEmpty = (flag: string, text: string): string => {
  if (text.trim() === '') throw new FlagError(`${flag} must not be empty.`);
  return text;
};

const endpoint = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new FlagError(`--api-endpoint must be an http or https URL, not "${text}".`);
  }
  return url.href.replace(/\/+$/, '');
};

const tiling = (text: string): Tiling => {
  try {
    return parseTiling(text);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace('`format`', '--format'));
    throw error;
  }
};

const classes = (texts: readonly string[]): readonly ObjectClass[] => {
  const chosen = texts.map((text) => oneOf('--anonymise', text, OBJECT_CLASSES));
  return OBJECT_CLASSES.filter((objectClass) => chosen.includes(objectClass));
};

/** How each flag that was given changes the configuration. */
const READERS = {
  'api-endpoint': (text: string) => ({ apiEndpoint: endpoint(text) }),
  format: (text: string) => ({ tiling: tiling(text) }),
  'save-mask': (text: string) => ({ saveMask: oneOf('--save-mask', text, SAVE_MASK_CHOICES) }),
  input: (text: string) => ({ inputFolder: notEmpty('--input', text) }),
  output: (text: string) => ({ outputFolder: notEmpty('--output', text) }),
  host: (text: string) => ({ host: notEmpty('--host', text) }),
  port: (text: string) => ({ port: wholeNumber('--port', text, 0, MAX_PORT) }),
  hold: (text: string) => ({ hold: oneOf('--hold', text, ['all', 'latest']) }),
  'sync-when-busy': (text: string) => ({
    syncWhenBusy: oneOf('--sync-when-busy', text, ['refuse', 'queue']),
  }),
  workers: (text: string) => ({ workers: wholeNumber('--workers', text, 1, MAX_WORKERS) }),
} as const satisfies Record<string, (text: string) => Partial<Config>>;

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own message goes on to advise; its first sentence is what is wrong.
    const [sentence = ''] = error.message.split(/\.\s|\n/);
    throw new FlagError(`${sentence.replace(/\.$/, '')}; see --help.`);
  }
};

/**
 * Reads the command line.
 *
 * @param args without the program's name
 * @throws FlagError
 */
export const parseCommand = (args: readonly string[]): Command => {
  const flags = parseFlags(args);
  if (flags.help) return { kind: 'help' };
  if (flags.version) return { kind: 'version' };
  let config = defaultConfig();
  for (const [name, read] of Object.entries(READERS)) {
    const text = flags[name as keyof typeof READERS];
    if (text !== undefined) config = { ...config, ...read(text) };
  }
  if (flags.anonymise) config = { ...config, classes: classes(flags.anonymise) };
  return { kind: 'serve', config };
};
