import { ApiError } from '#shared/api/errors';
import { imageOptions } from '#shared/api/image-options';
import { withDefaults } from '#shared/api/query';
import { UploadQuery } from '#shared/api/schemas-upload';
import {
  defaultSettings,
  serverConfig,
  withChange,
  type BatchConfig,
  type Config,
  type Settings,
} from './config';
import { BATCH_FLAGS } from './flags/batch-flags';
import { COMMON_FLAGS } from './flags/common-flags';
import { FlagError, type Flag } from './flags/flag';
import { SERVER_FLAGS } from './flags/server-flags';
import {
  readCommandLine,
  readConfigFile,
  readEnvironment,
  type CommandLine,
  type Source,
} from './flags/sources';

export type Command =
  | { readonly kind: 'serve'; readonly config: Config }
  | { readonly kind: 'batch'; readonly config: BatchConfig }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

type Environment = Readonly<Record<string, string | undefined>>;

const ALL_FLAGS: readonly Flag[] = [...COMMON_FLAGS, ...SERVER_FLAGS, ...BATCH_FLAGS];

/** Flags of the other mode would do nothing; environment and file may hold settings of both. */
const refuseFlagsOfOtherMode = ({ flags, positionals }: CommandLine): void => {
  const isBatch = positionals.length > 0;
  const foreign = (isBatch ? SERVER_FLAGS : BATCH_FLAGS).find(({ name }) => flags.has(name));
  if (!foreign) return;
  const problem = isBatch
    ? `--${foreign.name} is a flag of the server, which does not start when files or folders are named`
    : `--${foreign.name} is a flag for files and folders, and none is named`;
  throw new FlagError(`${problem}; see --help.`);
};

const configFile = (flags: Source, environment: Environment): string | undefined =>
  flags.get('config')?.texts.at(-1) ?? (environment['VEIL_CONFIG'] || undefined);

/** Reads each setting where it is given with the most weight. */
const settingsOf = (sources: readonly Source[]): Settings => {
  let settings = defaultSettings();
  for (const { name, read } of ALL_FLAGS) {
    const given = sources.find((source) => source.has(name))?.get(name);
    if (given) settings = withChange(settings, read(given.texts, given.label));
  }
  return settings;
};

const batchConfig = (settings: Settings, inputs: readonly string[]): BatchConfig => {
  const { outputFolder, upload } = settings;
  if (outputFolder === undefined) throw new FlagError('Say with --output which folder results go to.');
  if (inputs.includes('')) throw new FlagError('The name of a file or folder must not be empty.');
  if (upload.method === 'detect' && settings.saveMask === 'none' && !settings.saveMetadata) {
    throw new FlagError('--method detect writes no pictures or videos: say --save-mask or --save-metadata.');
  }
  try {
    const query = withDefaults(UploadQuery, upload);
    const video = {
      tracking: !query['no-object-tracking'],
      detectEvery: query['detect-every'],
      keepBitRate: query['keep-bit-rate'],
    };
    return { ...settings, inputs, outputFolder, options: imageOptions(upload, settings), video };
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace('`ignores`', '--ignores'));
    throw error;
  }
};

/**
 * Reads the command line, the environment and a configuration file; an earlier one counts more than a later one.
 *
 * @param args without the program's name
 * @throws FlagError
 */
export const parseCommand = (args: readonly string[], environment: Environment = {}): Command => {
  const commandLine = readCommandLine(args, ALL_FLAGS);
  const { flags, positionals } = commandLine;
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };
  refuseFlagsOfOtherMode(commandLine);
  const file = configFile(flags, environment);
  const settings = settingsOf([
    flags,
    readEnvironment(environment, ALL_FLAGS),
    ...(file === undefined ? [] : [readConfigFile(file, ALL_FLAGS)]),
  ]);
  return positionals.length > 0
    ? { kind: 'batch', config: batchConfig(settings, positionals) }
    : { kind: 'serve', config: serverConfig(settings) };
};
