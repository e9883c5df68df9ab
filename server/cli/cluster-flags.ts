import { COMMON_FLAGS } from './common-flags';
import { WORK_KINDS, type WorkKind } from '#shared/tasks/base/job-store';
import { FlagError, type Flag, type Reader } from './flag';
import { fromFile, secretFileFlag, notEmpty, one, oneOf, wholeNumber } from './values';
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
  {
    name: 'database',
    value: '<URL>',
    help: 'PostgreSQL database with the task records, such as postgres://veil@db/veil; other users can see flags, so prefer VEIL_DATABASE or --database-file',
    read: one(notEmpty, (database) => ({ database })),
  },
  {
    name: secretFileFlag('database'),
    value: '<file>',
    help: 'file that contains only the URL of the database (none)',
    read: one(fromFile(notEmpty), (database) => ({ database })),
  },
  {
    name: 'queue',
    value: '<URL>',
    help: 'Redis or Valkey that distributes work, such as redis://queue:6379 or rediss://; postgres:// is experimental',
    read: one(notEmpty, (queue) => ({ queue })),
  },
  {
    name: secretFileFlag('queue'),
    value: '<file>',
    help: 'file that contains only the URL of the queue (none)',
    read: one(fromFile(notEmpty), (queue) => ({ queue })),
  },
  {
    name: 'files',
    value: '<folder|URL>',
    help: 'uploads and results: a folder that all processes share, or s3://bucket/prefix?endpoint=https://…',
    read: one(notEmpty, (files) => ({ files })),
  },
];

/** Flags of `veil worker` only. */
export const WORKER_FLAGS: readonly Flag[] = [
  {
    name: 'slots',
    value: '<number>',
    help: 'images and videos processed at the same time (half the cores)',
    read: one(wholeNumber(1, MAX_SLOTS), (workers) => ({ workers })),
  },
  {
    name: 'take',
    value: '<kinds>',
    help: `kinds of work, separated by commas: ${WORK_KINDS.join(', ')} (all)`,
    read: workKinds,
  },
  {
    name: 'device',
    value: '<provider>',
    help: 'execution provider of onnxruntime, such as cpu or cuda (cpu)',
    read: one(notEmpty, (device) => ({ device })),
  },
  {
    name: 'segments',
    value: '<on|off>',
    help: 'whether videos of more than two minutes are analysed in segments, by all workers that take segments (off)',
    read: one(oneOf(['on', 'off']), (segments) => ({ dividesVideos: segments === 'on' })),
  },
];

const API_FOREIGN: readonly string[] = [
  ...['input', 'output', 'hold', 'workers', 'memory-budget', 'sync-when-busy'],
];

/** Flags of `veil api`: those of the server, without folders and workers of its own. */
export const API_FLAGS: readonly Flag[] = [
  ...SERVICE_FLAGS,
  ...[...COMMON_FLAGS, ...SERVER_FLAGS].filter(({ name }) => !API_FOREIGN.includes(name)),
  {
    name: 'sync-when-busy',
    value: '<what>',
    help: 'what happens to a synchronous upload while another file is processed: refuse or queue (queue)',
    read: one(oneOf(['refuse', 'queue']), (syncWhenBusy) => ({ syncWhenBusy })),
  },
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
