import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_DISK_RESERVE_BYTES, DEFAULT_MAX_QUEUE } from './config';
import { FlagError, type Flag } from './flag';
import { TOKEN_FLAGS } from './token-flags';
import {
  duration,
  notEmpty,
  one,
  oneOf,
  onOff,
  size,
  wholeNumber,
  must,
  fromFile,
  secretFileFlag,
} from './values';
import { CONNECTION_LIMITS } from '../http/connection-limits';
import { hostNameOf, parseAuthority } from '../http/site-policy';
import { parseAddressRange, type AddressRange } from '../adapters/address-guard';
import { WEBHOOK_SECRET_FORM, webhookKey } from '../adapters/webhook-sender';

const addressRange = (text: string, label: string): AddressRange => {
  const range = parseAddressRange(text);
  if (!range) throw must(label, 'an address or a range such as 192.168.7.0/24 or fd00::/8', text);
  return range;
};

const secret = (text: string, label: string): Uint8Array => {
  const key = webhookKey(text);
  // The message does not contain the text, which is a secret even if it is wrong.
  if (!key) throw new FlagError(`${label} must be ${WEBHOOK_SECRET_FORM}.`);
  return key;
};

/** Flags of notifications. */
const WEBHOOK_FLAGS: readonly Flag[] = [
  {
    name: 'webhook-secret',
    value: '<secret>',
    help: `signs notifications according to Standard Webhooks: ${WEBHOOK_SECRET_FORM}; other users can see flags, so prefer VEIL_WEBHOOK_SECRET or --webhook-secret-file (none)`,
    read: one(secret, (key) => ({ webhookKey: key })),
  },
  {
    name: secretFileFlag('webhook-secret'),
    value: '<file>',
    help: 'file that contains only the secret (none)',
    read: one(fromFile(secret), (key) => ({ webhookKey: key })),
  },
  {
    name: 'webhook-allow',
    value: '<range>',
    help: 'private address range to which notifications may be sent, such as 192.168.7.0/24; repeat it for several (public addresses only)',
    repeated: true,
    read: (texts, label) => ({ webhookAllow: texts.map((text) => addressRange(text, label)) }),
  },
];

/** A host name in the form that is compared with requests: lower case, with Punycode for letters outside ASCII. */
const hostName = (text: string, label: string): string => {
  const url = URL.canParse(`http://${text}`) ? parseAuthority(new URL(`http://${text}`).host) : undefined;
  if (!url || /[/?#@:[\]\s]/.test(text)) throw must(label, 'a host name such as veil.example.org', text);
  return hostNameOf(url);
};

/** An origin in the form that browsers send: without a path and without the scheme's default port. */
const webOrigin = (text: string, label: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw must(label, 'an origin such as http://localhost:3000', text);
  return url.origin;
};

/** Flags for host names and origins that browsers may use. */
const SITE_FLAGS: readonly Flag[] = [
  {
    name: 'allow-host',
    value: '<name>',
    help: 'further host name under which clients may reach a server without a token; loopback names, IP addresses and the names in --host and --api-endpoint are always allowed; repeat it for several (none)',
    repeated: true,
    read: (texts, label) => ({ allowHosts: texts.map((text) => hostName(text, label)) }),
  },
  {
    name: 'allow-origin',
    value: '<origin>',
    help: 'origin of a web site whose pages may use the API, such as http://localhost:3000; repeat it for several (none)',
    repeated: true,
    read: (texts, label) => ({ allowOrigins: texts.map((text) => webOrigin(text, label)) }),
  },
];

const MAX_IDLE_DAYS = 1;
/** Node counts connections up to this number on all systems. */
const MAX_CONNECTIONS = 65_535;

/** Flags for connections and slow clients. */
const CONNECTION_FLAGS: readonly Flag[] = [
  {
    name: 'upload-idle',
    value: '<duration>',
    help: `longest time without a byte of an upload, which is refused then (${CONNECTION_LIMITS.uploadIdleMs / 1000}s)`,
    read: one(duration(MAX_IDLE_DAYS), (uploadIdleMs) => ({ uploadIdleMs })),
  },
  {
    name: 'upload-min-rate',
    value: '<size>',
    help: `smallest number of bytes per second of an upload, over twice the time of --upload-idle (${CONNECTION_LIMITS.uploadMinBytesPerS / 1024}KiB)`,
    read: one(size, (uploadMinBytesPerS) => ({ uploadMinBytesPerS })),
  },
  {
    name: 'max-connections',
    value: '<number>',
    help: `maximum number of open connections; requests on further ones are refused (${CONNECTION_LIMITS.maxConnections})`,
    read: one(wholeNumber(1, MAX_CONNECTIONS), (maxConnections) => ({ maxConnections })),
  },
  {
    name: 'max-event-streams',
    value: '<number>',
    help: `maximum number of clients that follow tasks by an event stream; further ones are refused (${CONNECTION_LIMITS.maxEventStreams})`,
    read: one(wholeNumber(1, MAX_CONNECTIONS), (maxEventStreams) => ({ maxEventStreams })),
  },
];

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
