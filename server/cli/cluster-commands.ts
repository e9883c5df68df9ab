import { workSettingsOf, type WorkSettings } from '#shared/tasks/base/job-store';
import { ALL_WORKER_FLAGS, API_FLAGS, AUDIT_FLAGS, IMPORT_FLAGS, SERVICE_FLAGS } from './cluster-flags';
import {
  type ClusterConfig,
  type Settings,
  type WorkChoice,
  type Config,
  type EngineConfig,
  defaultSettings,
  serverConfig,
} from './config';
import { FlagError, type Flag, type NamedOption } from './flag';
import { requireReviewers } from './token-flags';
import type { StorageFolders } from '../adapters/storage';

/** Settings of `veil api`. */
export interface ApiConfig extends Config, ClusterConfig {}

/** Settings of `veil worker`. The other settings of processing come with each task. */
export interface WorkerConfig
  extends
    ClusterConfig,
    WorkChoice,
    Pick<EngineConfig, 'workers' | 'ffmpeg' | 'packsFolder' | 'logLevel' | 'logFormat'>,
    Pick<
      Config,
      'host' | 'port' | 'token' | 'tokens' | 'insecure' | 'memoryBudgetBytes' | 'shutdownGraceMs' | 'logNames'
    > {}

/** Settings of `veil import`. */
export interface ImportConfig extends ClusterConfig {
  /** Data folder of a stopped server without a role. */
  readonly from: string;
  /** Settings of that server with which its unfinished tasks are processed. */
  readonly work: WorkSettings;
}

/** Settings of `veil audit`. */
export interface AuditConfig {
  readonly place:
    | { readonly kind: 'server'; readonly folders: StorageFolders }
    | ({ readonly kind: 'cluster' } & Pick<ClusterConfig, 'database' | 'files'>);
  /** Whether files without a record are removed, and not only listed. */
  readonly removes: boolean;
  /** Whether more than a tenth of all folders may be removed. */
  readonly isConfirmed: boolean;
}

/** Roles of a process among several. */
export const ROLES = ['api', 'worker', 'migrate', 'import', 'audit'] as const;
export type Role = (typeof ROLES)[number];

/** A parsed command of a role. */
export type RoleCommand =
  | { readonly kind: 'api'; readonly config: ApiConfig }
  | { readonly kind: 'worker'; readonly config: WorkerConfig }
  | { readonly kind: 'migrate'; readonly database: string; readonly grants: Grants }
  | { readonly kind: 'import'; readonly config: ImportConfig }
  | { readonly kind: 'audit'; readonly config: AuditConfig };

/** Whether a command is one of a role. */
export const isRoleCommand = <C extends { readonly kind: string }>(
  command: C | RoleCommand,
): command is RoleCommand => ROLES.some((role) => role === command.kind);

export const IMPORT_FROM_OPTION = {
  name: 'from',
  value: '<folder>',
  help: 'data folder of a stopped server, with its folders input and output (.veil)',
} as const satisfies NamedOption;

/** Only typed: an environment variable must not remove anything. */
export const AUDIT_REMOVE_OPTION = {
  name: 'remove',
  help: 'removes files without a record that are older than a day, while no other process works',
} as const satisfies NamedOption;

/** Options of `veil migrate` that name database users. */
export const GRANT_OPTIONS = {
  api: {
    name: 'grant-api',
    value: '<user>',
    help: 'database user that gets the rights of API processes, and no others (none)',
  },
  worker: {
    name: 'grant-worker',
    value: '<user>',
    help: 'database user that gets the rights of workers, and no others (none)',
  },
} as const satisfies Record<'api' | 'worker', NamedOption>;

/** Existing database users by the role whose rights they get. */
export type Grants = Readonly<Partial<Record<'api' | 'worker', string>>>;

/** What is typed with a command, and is not a setting. */
export interface CommandOptions {
  /** Value of `--from`. */
  readonly from: string;
  readonly grants: Grants;
  /** Whether `--remove` was typed. */
  readonly removes: boolean;
}

const DATABASE_FLAGS = SERVICE_FLAGS.filter(({ name }) => name.startsWith('database'));

/** Flags by role. */
export const ROLE_FLAGS = {
  api: API_FLAGS,
  worker: ALL_WORKER_FLAGS,
  migrate: DATABASE_FLAGS,
  import: IMPORT_FLAGS,
  audit: AUDIT_FLAGS,
} as const satisfies Record<Role, readonly Flag[]>;

export const ROLE_DESCRIPTIONS = {
  api: 'serves page and API for several machines; tasks are processed by workers',
  worker: 'processes tasks of "veil api"',
  migrate: 'creates or updates the tables in the database',
  import: 'copies the tasks and files of a server without a role into the services of a cluster',
  audit: 'lists files without a task record, of a stopped server or of a cluster',
} as const satisfies Record<Role, string>;

/** Port of a worker's probes, so that a worker and an API process can run on one machine. */
const WORKER_PORT = 7001;

/** Settings before flags are read. */
export const roleDefaults = (role: Role): Settings => ({
  ...defaultSettings(),
  // An exact limit makes all API processes accept their uploads one after the other.
  ...(role === 'api' && { syncWhenBusy: 'queue', maxQueue: undefined }),
  ...(role === 'worker' && { port: WORKER_PORT }),
});

const required = (value: string | undefined, flag: string): string => {
  if (value === undefined) throw new FlagError(`Set --${flag}; see --help.`);
  return value;
};

const servicesOf = ({ database, queue, files }: Settings): ClusterConfig => ({
  database: required(database, 'database'),
  queue: required(queue, 'queue'),
  files: required(files, 'files'),
});

/** Both services of a cluster, or neither. */
const auditedPlace = (settings: Settings): AuditConfig['place'] => {
  const { database, files, inputFolder: input } = settings;
  if (database === undefined && files === undefined) {
    return { kind: 'server', folders: { input, output: serverConfig(settings).outputFolder } };
  }
  return { kind: 'cluster', database: required(database, 'database'), files: required(files, 'files') };
};

/** @throws FlagError if a service is missing */
export const roleCommand = (
  role: Role,
  settings: Settings,
  { from, grants, removes }: CommandOptions,
): RoleCommand => {
  switch (role) {
    case 'api':
      requireReviewers(settings);
      return { kind: role, config: { ...serverConfig(settings), ...servicesOf(settings) } };
    case 'worker':
      return { kind: role, config: { ...settings, ...servicesOf(settings) } };
    case 'migrate':
      return { kind: role, database: required(settings.database, 'database'), grants };
    case 'import':
      return { kind: role, config: { ...servicesOf(settings), from, work: workSettingsOf(settings) } };
    case 'audit':
      return {
        kind: role,
        config: { place: auditedPlace(settings), removes, isConfirmed: settings.confirmsSweeps },
      };
  }
};
