import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_DISK_RESERVE_BYTES, DEFAULT_MAX_QUEUE } from './config';
import {
  FlagError,
  type Flag,
  flag,
  duration,
  notEmpty,
  lastOf,
  oneOf,
  onOff,
  size,
  wholeNumber,
  valueError,
  fromFile,
  secretFileFlag,
} from './flag';
import { TOKEN_FLAGS } from './token-flags';
import { CONNECTION_LIMITS } from '../http/connection-limits';
import { hostNameOf, parseAuthority } from '../http/site-policy';
import { parseAddressRange, type AddressRange } from '../adapters/address-guard';
import { WEBHOOK_SECRET_FORM, webhookKey } from '../adapters/webhook-sender';

const addressRange = (text: string, label: string): AddressRange => {
  const range = parseAddressRange(text);
  if (!range) throw valueError(label, 'an address or a range such as 192.168.7.0/24 or fd00::/8', text);
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
  flag(
    'webhook-secret <secret>',
    `signs notifications according to Standard Webhooks: ${WEBHOOK_SECRET_FORM}; other users can see flags, so prefer VEIL_WEBHOOK_SECRET or --webhook-secret-file (none)`,
    lastOf(secret, (key) => ({ webhookKey: key })),
  ),
  flag(
    `${secretFileFlag('webhook-secret')} <file>`,
    'file that contains only the secret (none)',
    lastOf(fromFile(secret), (key) => ({ webhookKey: key })),
  ),
  flag(
    'webhook-allow <range>',
    'private address range to which notifications may be sent, such as 192.168.7.0/24; repeat it for several (public addresses only)',
    (texts, label) => ({ webhookAllow: texts.map((text) => addressRange(text, label)) }),
    { repeated: true },
  ),
];

/** A host name in the form that is compared with requests: lower case, with Punycode for letters outside ASCII. */
const hostName = (text: string, label: string): string => {
  const url = URL.canParse(`http://${text}`) ? parseAuthority(new URL(`http://${text}`).host) : undefined;
  if (!url || /[/?#@:[\]\s]/.test(text)) {
    throw valueError(label, 'a host name such as veil.example.org', text);
  }
  return hostNameOf(url);
};

/** An origin in the form that browsers send: without a path and without the scheme's default port. */
const webOrigin = (text: string, label: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw valueError(label, 'an origin such as http://localhost:3000', text);
  return url.origin;
};

/** Flags for host names and origins that browsers may use. */
const SITE_FLAGS: readonly Flag[] = [
  flag(
    'allow-host <name>',
    'further host name under which clients may reach a server without a token; loopback names, IP addresses and the names in --host and --api-endpoint are always allowed; repeat it for several (none)',
    (texts, label) => ({ allowHosts: texts.map((text) => hostName(text, label)) }),
    { repeated: true },
  ),
  flag(
    'allow-origin <origin>',
    'origin of a web site whose pages may use the API, such as http://localhost:3000; repeat it for several (none)',
    (texts, label) => ({ allowOrigins: texts.map((text) => webOrigin(text, label)) }),
    { repeated: true },
  ),
];

const MAX_IDLE_DAYS = 1;
/** Node counts connections up to this number on all systems. */
const MAX_CONNECTIONS = 65_535;

/** Flags for connections and slow clients. */
const CONNECTION_FLAGS: readonly Flag[] = [
  flag(
    'upload-idle <duration>',
    `longest time without a byte of an upload, which is refused then (${CONNECTION_LIMITS.uploadIdleMs / 1000}s)`,
    lastOf(duration(MAX_IDLE_DAYS), (uploadIdleMs) => ({ uploadIdleMs })),
  ),
  flag(
    'upload-min-rate <size>',
    `smallest number of bytes per second of an upload, over twice the time of --upload-idle (${CONNECTION_LIMITS.uploadMinBytesPerS / 1024}KiB)`,
    lastOf(size, (uploadMinBytesPerS) => ({ uploadMinBytesPerS })),
  ),
  flag(
    'max-connections <number>',
    `maximum number of open connections; requests on further ones are refused (${CONNECTION_LIMITS.maxConnections})`,
    lastOf(wholeNumber(1, MAX_CONNECTIONS), (maxConnections) => ({ maxConnections })),
  ),
  flag(
    'max-event-streams <number>',
    `maximum number of clients that follow tasks by an event stream; further ones are refused (${CONNECTION_LIMITS.maxEventStreams})`,
    lastOf(wholeNumber(1, MAX_CONNECTIONS), (maxEventStreams) => ({ maxEventStreams })),
  ),
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
  flag(
    'host <address>',
    'address to listen on (127.0.0.1)',
    lastOf(notEmpty, (host) => ({ host })),
  ),
  flag(
    'port <number>',
    'port to listen on, 0 for any that is free (7000)',
    lastOf(wholeNumber(0, MAX_PORT), (port) => ({ port })),
  ),
  ...TOKEN_FLAGS,
  ...SITE_FLAGS,
  flag(
    'input <folder>',
    'folder for uploads, which are kept until their task is deleted (.veil/input)',
    lastOf(notEmpty, (inputFolder) => ({ inputFolder })),
    { short: 'i' },
  ),
  flag(
    'api-endpoint <URL>',
    'base URL of the links in responses (the address listened on)',
    lastOf(endpoint, (apiEndpoint) => ({ apiEndpoint })),
  ),
  flag(
    'hold <all|latest>',
    'keeps all results, or only those of the latest upload (all)',
    lastOf(oneOf(['all', 'latest']), (hold) => ({ hold })),
  ),
  flag(
    'sync-when-busy <what>',
    'what happens to a synchronous upload while another file is processed: refuse or queue (refuse)',
    lastOf(oneOf(['refuse', 'queue']), (syncWhenBusy) => ({ syncWhenBusy })),
  ),
  flag(
    'panoramax',
    'also answers as the blur service of Panoramax: POST /blur/; synchronous uploads wait then',
    lastOf(onOff, (panoramax) => ({ panoramax })),
  ),
  flag(
    'strict-parameters',
    'refuses uploads with parameters that the API does not have; otherwise they are ignored and listed in the answer',
    lastOf(onOff, (strictParameters) => ({ strictParameters })),
  ),
  flag(
    'release-gate',
    'results are downloaded only after a reviewer, a token with the scope edit, has released them; needs tokens',
    lastOf(onOff, (releaseGate) => ({ releaseGate })),
  ),
  flag(
    'max-upload <size>',
    `largest upload, such as 500MB (${LIMITS.maxUploadBytes / 1024 ** 3}GiB)`,
    lastOf(size, (maxUploadBytes) => ({ limits: { maxUploadBytes } })),
  ),
  flag(
    'max-queue <number>',
    `maximum number of queued and running tasks; further uploads are refused (${DEFAULT_MAX_QUEUE}; veil api: no limit)`,
    lastOf(wholeNumber(1, MAX_QUEUE), (maxQueue) => ({ maxQueue })),
  ),
  ...CONNECTION_FLAGS,
  flag(
    'memory-budget <size>',
    'estimated memory of all images in work, such as 4GiB: an image waits for room, and a larger one is processed alone (half of the memory)',
    lastOf(size, (memoryBudgetBytes) => ({ memoryBudgetBytes })),
  ),
  flag(
    'disk-reserve <size>',
    `free space that uploads leave on the disks of the data folders, such as 10GiB; further uploads are refused (${DEFAULT_DISK_RESERVE_BYTES / 1024 ** 3}GiB)`,
    lastOf(size, (diskReserveBytes) => ({ diskReserveBytes })),
  ),
  flag(
    'data-retention <duration>',
    'deletes tasks and their files this long after they ended, such as 7d (never)',
    lastOf(duration(MAX_RETENTION_DAYS), (retentionMs) => ({ retentionMs })),
  ),
  flag(
    'confirm-sweep',
    'lets --data-retention or veil audit delete more than a tenth of all tasks at once, as after it was set for the first time or after a long pause; otherwise such a sweep is stopped and reported',
    lastOf(onOff, (confirmsSweeps) => ({ confirmsSweeps })),
  ),
  flag(
    'no-subjects',
    'recognises no persons: all faces are hidden, and nobody can be kept visible',
    lastOf(onOff, (off) => ({ subjects: !off })),
  ),
  flag(
    'no-model-hint',
    'does not mention the recommended models at the start',
    lastOf(onOff, (off) => ({ hintsModels: !off })),
  ),
  flag(
    'log-names',
    'adds file names, task ids and user agents to the log, which otherwise contains none',
    lastOf(onOff, (logNames) => ({ logNames })),
  ),
  flag(
    'shutdown-grace <duration>',
    'how long running tasks may continue after a stop signal; the rest resumes at the next start (5s)',
    lastOf(duration(MAX_GRACE_DAYS), (shutdownGraceMs) => ({ shutdownGraceMs })),
  ),
  flag(
    'api',
    'accepted for compatibility: the API is served whenever no file or folder is given',
    () => ({}),
  ),
  ...WEBHOOK_FLAGS,
];
