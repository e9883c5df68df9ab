import yargs, { type Argv, type Options } from 'yargs';
import type { ModelsTask } from '../../models/packs/run-models';
import { VERSION } from '#shared/domain/version';
import { BATCH_FLAGS } from './batch-flags';
import {
  AUDIT_REMOVE_OPTION,
  GRANT_OPTIONS,
  IMPORT_FROM_OPTION,
  ROLE_DESCRIPTIONS,
  ROLE_FLAGS,
  ROLES,
  type Role,
} from './cluster-commands';
import { SERVICE_FLAGS, WORKER_FLAGS } from './cluster-flags';
import { COMMON_FLAGS } from './common-flags';
import { FlagError, variableOf, type NamedOption } from './flag';
import { prepareArguments } from './sources';
import { SERVER_FLAGS } from './server-flags';
import { ANY_SIGNER_OPTION, KEY_OPTION, LOG_OPTION } from './verify-options';
import type { VerifyTask } from './verify-command';

/** Values by name of the option, as they were typed. Switches are true. */
type Typed = Readonly<Record<string, unknown>>;

/** The parsed command line, with values that are not validated yet. */
export type CommandLine =
  | { readonly kind: 'run'; readonly typed: Typed; readonly positionals: readonly string[] }
  | { readonly kind: 'models'; readonly task: ModelsTask; readonly folder: string | undefined }
  | { readonly kind: 'role'; readonly role: Role; readonly typed: Typed }
  | {
      readonly kind: 'review';
      readonly typed: Typed;
      readonly resultFolder: string;
      readonly sources: readonly string[];
    }
  | { readonly kind: 'verify'; readonly task: VerifyTask }
  | { readonly kind: 'licenses' }
  | { readonly kind: 'help' | 'version' | 'completion'; readonly text: string };

export const CONFIG_OPTION = {
  name: 'config',
  value: '<file>',
  help: 'file with a JSON object that sets any of these flags by name',
} as const satisfies NamedOption;
const FOLDER_OPTION = {
  name: 'folder',
  value: '<folder>',
  help: 'folder of installed packs; start the server with --packs and the same folder (models/installed)',
} as const satisfies NamedOption;
const FROM_OPTION = {
  name: 'from',
  value: '<file>',
  help: "local file with the pack's only model, used instead of a download",
} as const satisfies NamedOption;

export const NO_OPEN_OPTION = {
  name: 'no-open',
  help: 'prints the address, and does not open it in a browser',
} as const satisfies NamedOption;
const REVIEW_FLAG_NAMES: readonly string[] = [
  ...['max-pixels', 'max-video-pixels', 'task-timeout', 'ffmpeg', 'packs', 'workers'],
  ...['log-level', 'log-format', 'report-key'],
];
/** Flags that a review has in common with the server and batch mode. */
export const REVIEW_FLAGS = COMMON_FLAGS.filter(({ name }) => REVIEW_FLAG_NAMES.includes(name));

/** The flags of the program, in the groups of its help. */
export const FLAG_GROUPS: readonly (readonly [string, readonly NamedOption[]])[] = [
  ['Common flags', [...COMMON_FLAGS, CONFIG_OPTION]],
  ['Server flags', SERVER_FLAGS],
  ['Flags for files and folders', BATCH_FLAGS],
];
const ALL_OPTIONS: readonly NamedOption[] = [
  ...FLAG_GROUPS.flatMap(([, options]) => options),
  ...SERVICE_FLAGS,
  ...WORKER_FLAGS,
  ...Object.values(GRANT_OPTIONS),
  AUDIT_REMOVE_OPTION,
  FOLDER_OPTION,
  FROM_OPTION,
  NO_OPEN_OPTION,
  KEY_OPTION,
  ANY_SIGNER_OPTION,
  LOG_OPTION,
];

/** Options that no environment variable sets. */
const ONLY_TYPED: readonly NamedOption[] = [
  ...[AUDIT_REMOVE_OPTION, NO_OPEN_OPTION, KEY_OPTION, ANY_SIGNER_OPTION, LOG_OPTION],
];

const USAGE = `Hides faces, license plates, persons, vehicles and text in images and videos, on your own machine.

  $0 [flags]                          serves the page and the API
  $0 <file or folder>... -o <folder>  anonymises images and videos, also those in folders`;
const EPILOGUE = [
  'Square brackets contain the environment variable of a flag, as in VEIL_MAX_UPLOAD=500MB; round brackets contain its default.',
  'Flags override environment variables, and these override the --config file.',
  'If a file or folder has the name of a command, write it with a path: ./models.',
].join(' ');

const COMPLETIONS = '--get-yargs-completions';
const WIDEST_HELP = 120;
const USUAL_COLUMNS = 100;

/** An option for yargs. yargs reads only texts: our own parsers handle flags, variables and files alike. */
const optionOf = ({ short, value, help }: NamedOption, group: string, variable?: string): Options => ({
  group: `${group}:`,
  describe: [value, help, variable && `[${variable}]`].filter(Boolean).join(' '),
  ...(value === undefined ? { type: 'boolean' } : {}),
  ...(short === undefined ? {} : { alias: short }),
});

/** Options for a command by their names. Those of the command line alone have no variable. */
const optionsOf = (options: readonly NamedOption[], group = 'Options'): Record<never, Options> =>
  Object.fromEntries(
    options.map((option) => {
      const variable = ONLY_TYPED.includes(option) ? undefined : variableOf(option);
      return [option.name, optionOf(option, group, variable)];
    }),
  );

const withFlags = (program: Argv, more: Options = {}): Argv =>
  FLAG_GROUPS.reduce(
    (all, [group, options]) =>
      Object.entries<Options>(optionsOf(options, group)).reduce(
        (each, [name, option]) => each.option(name, { ...option, ...more }),
        all,
      ),
    program,
  );

/** Our sentence for an error of yargs. */
const problemOf = (message: string, words: readonly string[]): string => {
  const [, name] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  if (name !== undefined) {
    return words.includes(name)
      ? `Unknown command '${name}'`
      : `Unknown option '${name.length > 1 ? '--' : '-'}${name}'`;
  }
  if (!message.startsWith('Not enough non-option arguments')) return message;
  return words[0] === 'verify' ? 'Name a report and a file' : 'Name a pack';
};

const textIn = (typed: Typed, { name }: NamedOption): string | undefined => {
  const last = [typed[name]].flat().at(-1);
  return typeof last === 'string' ? last : undefined;
};

type OnCommand = (read: CommandLine) => void;

const withModels = (program: Argv, onCommand: OnCommand): Argv => {
  const models = (typed: Typed, task: ModelsTask): void =>
    onCommand({ kind: 'models', task, folder: textIn(typed, FOLDER_OPTION) });
  const pack = (each: Argv, describe: string): Argv =>
    each.positional('pack', { type: 'string', demandOption: true, describe });
  return program
    .usage('$0 models <command>')
    .option(FOLDER_OPTION.name, optionOf(FOLDER_OPTION, 'Options', 'VEIL_PACKS'))
    .command('list', 'lists the known packs and the installed ones', {}, (typed) =>
      models(typed, { action: 'list' }),
    )
    .command(
      'add <pack>',
      'installs a pack',
      (each) =>
        pack(
          each,
          'a name from the list, or the path or https URL of a description, an archive (zip) or a single model',
        ).option(FROM_OPTION.name, optionOf(FROM_OPTION, 'Options')),
      (typed) =>
        models(typed, { action: 'add', pack: String(typed['pack']), from: textIn(typed, FROM_OPTION) }),
    )
    .command(
      'remove <pack>',
      'removes an installed pack',
      (each) => pack(each, 'its name'),
      (typed) => models(typed, { action: 'remove', pack: String(typed['pack']) }),
    )
    .command('check', 'verifies the hashes of the installed packs and runs their models', {}, (typed) =>
      models(typed, { action: 'check' }),
    )
    .demandCommand(1, 'Name a command for models: list, add, remove or check')
    .strict();
};

/** Options of a role that are not settings. */
const OWN_OPTIONS = {
  api: [CONFIG_OPTION],
  worker: [CONFIG_OPTION],
  migrate: [CONFIG_OPTION, ...Object.values(GRANT_OPTIONS)],
  import: [IMPORT_FROM_OPTION],
  audit: [CONFIG_OPTION, AUDIT_REMOVE_OPTION],
} as const satisfies Record<Role, readonly NamedOption[]>;

/** The roles of a process among several. */
const withRoles = (program: Argv, onCommand: OnCommand): Argv =>
  ROLES.reduce(
    (all, role) =>
      all.command(
        role,
        ROLE_DESCRIPTIONS[role],
        (each) => each.options(optionsOf([...ROLE_FLAGS[role], ...OWN_OPTIONS[role]])).strict(),
        (typed) => onCommand({ kind: 'role', role, typed }),
      ),
    program,
  );

const withReview = (program: Argv, onCommand: OnCommand): Argv =>
  program.command(
    'review <folder> [source..]',
    'shows the results in a folder in the page, and saves edits next to them',
    (each) =>
      each
        .positional('folder', {
          type: 'string',
          demandOption: true,
          describe: 'the --output of a run over files',
        })
        .positional('source', {
          type: 'string',
          array: true,
          describe: 'files and folders of that run; by default they are searched near the folder',
        })
        .options(optionsOf([NO_OPEN_OPTION, ...REVIEW_FLAGS]))
        .strict(),
    ({ folder, source = [], ...typed }) =>
      onCommand({ kind: 'review', typed, resultFolder: folder, sources: source }),
  );

const withVerify = (program: Argv, onCommand: OnCommand): Argv =>
  program.command(
    'verify <report> <file>',
    'checks whether a report and a result match and are unmodified',
    (each) =>
      each
        .positional('report', { type: 'string', demandOption: true, describe: 'the report, as JSON' })
        .positional('file', { type: 'string', demandOption: true, describe: 'the result' })
        .options(optionsOf([KEY_OPTION, ANY_SIGNER_OPTION, LOG_OPTION]))
        .strict(),
    ({ report, file, ...typed }) => {
      const key = textIn(typed, KEY_OPTION);
      const isAnySignerAccepted = typed[ANY_SIGNER_OPTION.name] === true;
      if (key !== undefined && isAnySignerAccepted) {
        throw new FlagError('--key and --any-signer exclude each other.');
      }
      const log = textIn(typed, LOG_OPTION);
      onCommand({ kind: 'verify', task: { report, file, log, key, isAnySignerAccepted } });
    },
  );

/** A command without arguments and flags. */
const alone = (program: Argv): Argv => program.strict();

const createProgram = (words: readonly string[], onCommand: OnCommand): Argv => {
  const program = withVerify(withReview(withRoles(yargs(), onCommand), onCommand), onCommand)
    .scriptName('veil')
    .detectLocale(false)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
      'strip-aliased': true,
    })
    .usage(USAGE)
    .epilogue(EPILOGUE)
    .wrap(Math.min(process.stdout.columns ?? USUAL_COLUMNS, WIDEST_HELP))
    .command(
      '$0',
      false,
      (program) => withFlags(program).strictOptions(),
      (typed) => {
        const { _: named, '--': dashed = [], ...options } = typed as Typed & { _: string[]; '--'?: string[] };
        onCommand({ kind: 'run', typed: options, positionals: [...named, ...dashed].map(String) });
      },
    )
    .command('models', 'lists, installs, removes and checks model packs', (program) => {
      withModels(program, onCommand);
    })
    .command('licenses', 'prints the licences of Veil and of everything that it contains', alone, () =>
      onCommand({ kind: 'licenses' }),
    )
    .command('completion', 'prints a script that completes commands and flags in bash or zsh', alone, () => {
      program.showCompletionScript();
    })
    .version('version', 'prints the version', VERSION)
    .help('help', 'prints this help')
    .exitProcess(false)
    .fail((message: string | null, error: Error) => {
      if (message === null) throw error;
      throw new FlagError(`${problemOf(message, words)}; see --help.`);
    });
  // yargs completes the flags of a default command only if they are added here.
  return words[0] === COMPLETIONS ? withFlags(program, { global: false }) : program;
};

/**
 * Parses the command line.
 *
 * @param args without the program's name
 * @throws FlagError
 */
export const readCommandLine = (args: readonly string[]): CommandLine => {
  const isCompleting = args[0] === COMPLETIONS;
  const words = isCompleting ? [...args] : prepareArguments(args, ALL_OPTIONS);
  let read: CommandLine | undefined;
  const program = createProgram(words, (command) => {
    read = command;
  });
  void program.parse(words, {}, (_error, typed: Typed, text) => {
    if (text === '') return;
    if (isCompleting || typed['_']?.toString() === 'completion') read = { kind: 'completion', text };
    else read = { kind: typed['version'] === true ? 'version' : 'help', text };
  });
  return read ?? { kind: 'completion', text: '' };
};
