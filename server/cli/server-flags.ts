import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_DISK_RESERVE_BYTES, DEFAULT_MAX_QUEUE } from './config';
import { CONNECTION_FLAGS } from './connection-flags';
import { FlagError, type Flag } from './flag';
import { SITE_FLAGS } from './site-flags';
import { TOKEN_FLAGS } from './token-flags';
import { duration, notEmpty, one, oneOf, onOff, size, wholeNumber } from './values';
import { WEBHOOK_FLAGS } from './webhook-flags';

const MAX_PORT = 65_535;
const MAX_QUEUE = 1_000_000;
const MAX_GRACE_DAYS = 1;
const MAX_RETENTION_DAYS = 3650;

const endpoint = (text: string, label: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new FlagError(`${label} must be an http or https URL, not "${text}".`);
  }
  return url.href.replace(/\/+$/, '');
};

/** Flags of the server only. */
export const SERVER_FLAGS: readonly Flag[] = [
  {
    name: 'host',
    value: '<address>',
    help: 'address to listen on (127.0.0.1)',
    read: one(notEmpty, (host) => ({ host })),
  },
  {
    name: 'port',
    value: '<number>',
    help: 'port to listen on, 0 for any that is free (7000)',
    read: one(wholeNumber(0, MAX_PORT), (port) => ({ port })),
  },
  ...TOKEN_FLAGS,
  ...SITE_FLAGS,
  {
    name: 'input',
    short: 'i',
    value: '<folder>',
    help: 'folder for uploads, which are kept until their task is deleted (.veil/input)',
    read: one(notEmpty, (inputFolder) => ({ inputFolder })),
  },
  {
    name: 'api-endpoint',
    value: '<URL>',
    help: 'base URL of the links in responses (the address listened on)',
    read: one(endpoint, (apiEndpoint) => ({ apiEndpoint })),
  },
  {
    name: 'hold',
    value: '<all|latest>',
    help: 'keeps all results, or only those of the latest upload (all)',
    read: one(oneOf(['all', 'latest']), (hold) => ({ hold })),
  },
  {
    name: 'sync-when-busy',
    value: '<what>',
    help: 'what happens to a synchronous upload while another file is processed: refuse or queue (refuse)',
    read: one(oneOf(['refuse', 'queue']), (syncWhenBusy) => ({ syncWhenBusy })),
  },
  {
    name: 'strict-parameters',
    help: 'refuses uploads with parameters that the API does not have; otherwise they are ignored and listed in the answer',
    read: one(onOff, (strictParameters) => ({ strictParameters })),
  },
  {
    name: 'max-upload',
    value: '<size>',
    help: `largest upload, such as 500MB (${LIMITS.maxUploadBytes / 1024 ** 3}GiB)`,
    read: one(size, (maxUploadBytes) => ({ limits: { maxUploadBytes } })),
  },
  {
    name: 'max-queue',
    value: '<number>',
    help: `maximum number of queued and running tasks; further uploads are refused (${DEFAULT_MAX_QUEUE}; veil api: no limit)`,
    read: one(wholeNumber(1, MAX_QUEUE), (maxQueue) => ({ maxQueue })),
  },
  ...CONNECTION_FLAGS,
  {
    name: 'memory-budget',
    value: '<size>',
    help: 'estimated memory of all images in work, such as 4GiB: an image waits for room, and a larger one is processed alone (half of the memory)',
    read: one(size, (memoryBudgetBytes) => ({ memoryBudgetBytes })),
  },
  {
    name: 'disk-reserve',
    value: '<size>',
    help: `free space that uploads leave on the disks of the data folders, such as 10GiB; further uploads are refused (${DEFAULT_DISK_RESERVE_BYTES / 1024 ** 3}GiB)`,
    read: one(size, (diskReserveBytes) => ({ diskReserveBytes })),
  },
  {
    name: 'data-retention',
    value: '<duration>',
    help: 'deletes tasks and their files this long after they ended, such as 7d (never)',
    read: one(duration(MAX_RETENTION_DAYS), (retentionMs) => ({ retentionMs })),
  },
  {
    name: 'confirm-sweep',
    help: 'lets --data-retention or veil audit delete more than a tenth of all tasks at once, as after it was set for the first time or after a long pause; otherwise such a sweep is stopped and reported',
    read: one(onOff, (confirmsSweeps) => ({ confirmsSweeps })),
  },
  {
    name: 'no-subjects',
    help: 'recognises no persons: all faces are hidden, and nobody can be kept visible',
    read: one(onOff, (off) => ({ subjects: !off })),
  },
  {
    name: 'log-names',
    help: 'adds file names, task ids and user agents to the log, which otherwise contains none',
    read: one(onOff, (logNames) => ({ logNames })),
  },
  {
    name: 'shutdown-grace',
    value: '<duration>',
    help: 'how long running tasks may continue after a stop signal; the rest resumes at the next start (5s)',
    read: one(duration(MAX_GRACE_DAYS), (shutdownGraceMs) => ({ shutdownGraceMs })),
  },
  {
    name: 'api',
    help: 'accepted for compatibility: the API is served whenever no file or folder is given',
    read: () => ({}),
  },
  ...WEBHOOK_FLAGS,
];
