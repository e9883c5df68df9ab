import { hides, type Method } from '#shared/catalogue/methods';
import type { ModelsTask } from '../../models/packs/run-models';
import {
  type BatchConfig,
  type Config,
  type EditsFile,
  type ReviewConfig,
  type Settings,
  defaultSettings,
  serverConfig,
  withChange,
} from './config';
import { BATCH_FLAGS } from './batch-flags';
import { checkCameraAreas } from './camera-areas';
import { readDetectionsFile } from './detections-file';
import {
  AUDIT_REMOVE_OPTION,
  GRANT_OPTIONS,
  IMPORT_FROM_OPTION,
  ROLE_FLAGS,
  roleCommand,
  roleDefaults,
  type RoleCommand,
} from './cluster-commands';
import { SERVICE_FLAGS, WORKER_FLAGS } from './cluster-flags';
import {
  type CommandLine,
  CONFIG_OPTION,
  NO_OPEN_OPTION,
  readCommandLine,
  REVIEW_FLAGS,
} from './command-line';
import { COMMON_FLAGS } from './common-flags';
import { readEditsFile } from './edits-file';
import { fileOptions } from './file-settings';
import { FlagError, variableOf, type Flag, type NamedOption, SECRETS, secretFileFlag } from './flag';
import { SERVER_FLAGS } from './server-flags';
import { requireReviewers } from './token-flags';
import type { VerifyTask } from './verify-command';
import { readConfigFile, readEnvironment, readTyped, type Source } from './sources';

export type Command =
  | { readonly kind: 'serve'; readonly config: Config }
  | { readonly kind: 'batch'; readonly config: BatchConfig }
  | { readonly kind: 'review'; readonly config: ReviewConfig }
  | { readonly kind: 'models'; readonly task: ModelsTask; readonly folder: string | undefined }
  | { readonly kind: 'verify'; readonly task: VerifyTask }
  | RoleCommand
  | { readonly kind: 'licenses' }
  /** Text that is printed. */
  | { readonly kind: 'help' | 'version' | 'completion'; readonly text: string };

type Environment = Readonly<Record<string, string | undefined>>;

const ALL_FLAGS: readonly Flag[] = [...COMMON_FLAGS, ...SERVER_FLAGS, ...BATCH_FLAGS];
const PACKS_FLAG = { name: 'packs', help: '' } as const satisfies NamedOption;

/** Refuses flags of the other mode, which would have no effect. Environment and file may set both modes. */
const refuseFlagsOfOtherMode = (flags: Source, isBatch: boolean): void => {
  const foreign = (isBatch ? SERVER_FLAGS : BATCH_FLAGS).find(({ name }) => flags.has(name));
  if (!foreign) return;
  const problem = isBatch
    ? `--${foreign.name} applies only to the server, which does not start when files or folders are given`
    : `--${foreign.name} applies only to files and folders, and none are given`;
  throw new FlagError(`${problem}; see --help.`);
};

/** Refuses a typed key that would sign nothing. Environment and file may set it for the server. */
const refuseKeyWithoutReport = (flags: Source, { saveReport }: Settings): void => {
  if (flags.has('report-key') && !saveReport) {
    throw new FlagError('--report-key signs reports, and none are written: add --save-report.');
  }
};

/** Refuses a part of a bag that nothing lies in. */
const refuseEmptyPart = ({ bag: { startS = 0, endS = Infinity } }: Settings): void => {
  if (startS >= endS) throw new FlagError('--end must be later than --start.');
};

/** The text of an option that is not a setting. @param typed its value on the command line */
const textOf = (typed: unknown, option: NamedOption, environment: Environment): string | undefined => {
  const last = [typed].flat().at(-1);
  return typeof last === 'string' ? last : environment[variableOf(option)] || undefined;
};

/** Refuses two values of one secret, so that none is ignored silently. @throws FlagError */
const refuseSecretsGivenTwice = (sources: readonly Source[]): void => {
  for (const name of SECRETS) {
    const [text, file] = [name, secretFileFlag(name)].map((each) =>
      sources.find((source) => source.has(each))?.get(each),
    );
    if (text && file) {
      throw new FlagError(`${text.label} and ${file.label} are both set: set only one of them.`);
    }
  }
};

/**
 * All sources of settings, that of highest precedence first.
 *
 * @param known flags that a configuration file may contain @throws FlagError
 */
const sourcesOf = (
  typed: Readonly<Record<string, unknown>>,
  flags: readonly Flag[],
  known: readonly Flag[],
  environment: Environment,
): readonly Source[] => {
  const file = textOf(typed[CONFIG_OPTION.name], CONFIG_OPTION, environment);
  const sources = [
    readTyped(typed, flags),
    readEnvironment(environment, flags),
    ...(file === undefined ? [] : [readConfigFile(file, known)]),
  ];
  refuseSecretsGivenTwice(sources);
  return sources;
};

/** Reads each setting from its source of highest precedence. */
const settingsOf = (
  sources: readonly Source[],
  defaults = defaultSettings(),
  flags: readonly Flag[] = ALL_FLAGS,
): Settings => {
  let settings = defaults;
  for (const { name, read } of flags) {
    const given = sources.find((source) => source.has(name))?.get(name);
    if (given) settings = withChange(settings, read(given.texts, given.label));
  }
  return settings;
};

const editsOf = (file: string | undefined, { length }: readonly string[]): EditsFile | undefined => {
  if (file === undefined) return undefined;
  if (length > 1) throw new FlagError(`--edits applies to one file, and ${length} are given.`);
  return readEditsFile(file);
};

/** Refuses a run that writes nothing, or that does not say where. */
const refuseNoResults = (
  { outputFolder, suffix, saveMask, saveMetadata, saveReport, saveLog, exports }: Settings,
  method: Method | undefined,
): void => {
  if (outputFolder === undefined && suffix === '') {
    throw new FlagError(
      'Name the folder for results with --output, or write them next to their sources with --suffix.',
    );
  }
  const isMore = saveMask !== 'none' || saveMetadata || saveReport || saveLog || exports.length > 0;
  if (method && !hides(method) && !isMore) {
    throw new FlagError(
      '--method detect writes no images or videos: add --save-mask, --save-metadata, --save-report, --save-log or --export.',
    );
  }
};

const batchConfig = (settings: Settings, inputs: readonly string[]): BatchConfig => {
  const { upload, editsFile, detectionsFile } = settings;
  if (inputs.includes('')) throw new FlagError('The name of a file or folder must not be empty.');
  const edits = editsOf(editsFile, inputs);
  refuseNoResults(settings, edits?.body.method ?? upload.method);
  if (settings.cameras) checkCameraAreas(settings.cameras, settings.reasons);
  const given = detectionsFile === undefined ? undefined : readDetectionsFile(detectionsFile);
  return { ...settings, inputs, edits, given, ...fileOptions(settings) };
};

/** The folder of a server without a role that was started without flags. */
const USUAL_DATA_FOLDER = '.veil';

/** Reads a command of a role. Flags of other roles are ignored in environment and file, as those of other modes are. */
const readRole = (
  { role, typed }: Extract<CommandLine, { readonly kind: 'role' }>,
  environment: Environment,
): RoleCommand => {
  const flags: readonly Flag[] = ROLE_FLAGS[role];
  const sources = sourcesOf(typed, flags, [...ALL_FLAGS, ...SERVICE_FLAGS, ...WORKER_FLAGS], environment);
  const textOfOption = (option: NamedOption): string | undefined =>
    textOf(typed[option.name], option, environment);
  const [api, worker] = [textOfOption(GRANT_OPTIONS.api), textOfOption(GRANT_OPTIONS.worker)];
  return roleCommand(role, settingsOf(sources, roleDefaults(role), flags), {
    from: textOfOption(IMPORT_FROM_OPTION) ?? USUAL_DATA_FOLDER,
    removes: typed[AUDIT_REMOVE_OPTION.name] === true,
    grants: { ...(api !== undefined && { api }), ...(worker !== undefined && { worker }) },
  });
};

/** Reads the settings of a review. A terminal is not filled with a line for each request of the page. */
const reviewConfig = (
  { typed, resultFolder, sources }: Extract<CommandLine, { readonly kind: 'review' }>,
  environment: Environment,
): ReviewConfig => {
  const given = [readTyped(typed, REVIEW_FLAGS), readEnvironment(environment, REVIEW_FLAGS)];
  const settings = settingsOf(given, { ...defaultSettings(), logLevel: 'error' });
  return { resultFolder, sources, opensBrowser: typed[NO_OPEN_OPTION.name] !== true, settings };
};

/**
 * Reads the command line, the environment and a configuration file. Earlier ones take precedence.
 *
 * @param args without the program's name
 * @throws FlagError
 */
export const parseCommand = (args: readonly string[], environment: Environment = {}): Command => {
  const commandLine = readCommandLine(args);
  if (commandLine.kind === 'models') {
    return { ...commandLine, folder: textOf(commandLine.folder, PACKS_FLAG, environment) };
  }
  if (commandLine.kind === 'role') return readRole(commandLine, environment);
  if (commandLine.kind === 'review') {
    return { kind: 'review', config: reviewConfig(commandLine, environment) };
  }
  if (commandLine.kind !== 'run') return commandLine;
  const { typed, positionals } = commandLine;
  const isBatch = positionals.length > 0;
  const flags = readTyped(typed, ALL_FLAGS);
  refuseFlagsOfOtherMode(flags, isBatch);
  const sources = sourcesOf(typed, ALL_FLAGS, ALL_FLAGS, environment);
  // Over the API the default stays `whole`, as existing clients expect.
  const defaults = { ...defaultSettings(), ...(isBatch && { format: { kind: 'auto' } as const }) };
  const settings = settingsOf(sources, defaults);
  if (!isBatch) {
    requireReviewers(settings);
    return { kind: 'serve', config: serverConfig(settings) };
  }
  refuseKeyWithoutReport(flags, settings);
  refuseEmptyPart(settings);
  return { kind: 'batch', config: batchConfig(settings, positionals) };
};
