import { COMMON_FLAGS } from './common-flags';
import { WORK_KINDS, type WorkKind } from '#shared/tasks/base/job-store';
import {
  type Flag,
  type Reader,
  FlagError,
  flag,
  fromFile,
  secretFileFlag,
  notEmpty,
  lastOf,
  oneOf,
  wholeNumber,
} from './flag';
import { SERVER_FLAGS } from './server-flags';

const MAX_SLOTS = 64;

/** Kinds of work, separated by commas. */
const workKinds: Reader = (texts, label) => {
  const names = texts.flatMap((text) => text.split(','));
  const take = WORK_KINDS.filter((kind) => names.includes(kind));
  const unknown = names.find((name) => !WORK_KINDS.some((kind) => kind === name));
  if (unknown !== undefined || take.length === 0) {
    throw new FlagError(`${label} must list ${WORK_KINDS.join(', ')}, not "${unknown ?? ''}".`);
  }
  return { take: take satisfies readonly WorkKind[] };
};

/** Flags of the services that API processes and workers share. */
export const SERVICE_FLAGS: readonly Flag[] = [
  flag(
    'database <URL>',
    'PostgreSQL database with the task records, such as postgres://veil@db/veil; other users can see flags, so prefer VEIL_DATABASE or --database-file',
    lastOf(notEmpty, (database) => ({ database })),
  ),
  flag(
    `${secretFileFlag('database')} <file>`,
    'file that contains only the URL of the database (none)',
    lastOf(fromFile(notEmpty), (database) => ({ database })),
  ),
  flag(
    'queue <URL>',
    'Redis or Valkey that distributes work, such as redis://queue:6379 or rediss://; postgres:// is experimental',
    lastOf(notEmpty, (queue) => ({ queue })),
  ),
  flag(
    `${secretFileFlag('queue')} <file>`,
    'file that contains only the URL of the queue (none)',
    lastOf(fromFile(notEmpty), (queue) => ({ queue })),
  ),
  flag(
    'files <folder|URL>',
    'uploads and results: a folder that all processes share, or s3://bucket/prefix?endpoint=https://…',
    lastOf(notEmpty, (files) => ({ files })),
  ),
];

/** Flags of `veil worker` only. */
export const WORKER_FLAGS: readonly Flag[] = [
  flag(
    'slots <number>',
    'images and videos processed at the same time (half the cores)',
    lastOf(wholeNumber(1, MAX_SLOTS), (workers) => ({ workers })),
  ),
  flag('take <kinds>', `kinds of work, separated by commas: ${WORK_KINDS.join(', ')} (all)`, workKinds),
  flag(
    'segments <on|off>',
    'whether videos of more than two minutes are analysed in segments, by all workers that take segments (off)',
    lastOf(oneOf(['on', 'off']), (segments) => ({ dividesVideos: segments === 'on' })),
  ),
];

const API_FOREIGN: readonly string[] = [
  ...['input', 'output', 'hold', 'workers', 'memory-budget', 'sync-when-busy'],
];

/** Flags of `veil api`: those of the server, without folders and workers of its own. */
export const API_FLAGS: readonly Flag[] = [
  ...SERVICE_FLAGS,
  ...[...COMMON_FLAGS, ...SERVER_FLAGS].filter(({ name }) => !API_FOREIGN.includes(name)),
  flag(
    'sync-when-busy <what>',
    'what happens to a synchronous upload while another file is processed: refuse or queue (queue)',
    lastOf(oneOf(['refuse', 'queue']), (syncWhenBusy) => ({ syncWhenBusy })),
  ),
];

const WORKER_COMMON: readonly string[] = [
  ...['ffmpeg', 'packs', 'log-level', 'log-format', 'host', 'port'],
  ...['token', 'token-file', 'tokens', 'tokens-file', 'insecure', 'memory-budget', 'log-names'],
  'shutdown-grace',
];

/** All flags of `veil worker`. */
export const ALL_WORKER_FLAGS: readonly Flag[] = [
  ...SERVICE_FLAGS,
  ...WORKER_FLAGS,
  ...[...COMMON_FLAGS, ...SERVER_FLAGS].filter(({ name }) => WORKER_COMMON.includes(name)),
];

const IMPORT_COMMON: readonly string[] = [
  ...['save-mask', 'keep-metadata', 'max-pixels', 'max-video-pixels', 'task-timeout'],
];

/** Flags of `veil import`: the services, and settings of the server whose tasks are not finished. */
export const IMPORT_FLAGS: readonly Flag[] = [
  ...SERVICE_FLAGS,
  ...COMMON_FLAGS.filter(({ name }) => IMPORT_COMMON.includes(name)),
];

const AUDIT_SERVICES: readonly string[] = ['database', 'database-file', 'files'];
const AUDIT_COMMON: readonly string[] = ['input', 'output', 'confirm-sweep'];

/** Flags of `veil audit`: the folders of one server, or the services. */
export const AUDIT_FLAGS: readonly Flag[] = [
  ...SERVICE_FLAGS.filter(({ name }) => AUDIT_SERVICES.includes(name)),
  ...[...COMMON_FLAGS, ...SERVER_FLAGS].filter(({ name }) => AUDIT_COMMON.includes(name)),
];
