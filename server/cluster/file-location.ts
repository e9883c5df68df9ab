import { resolve } from 'node:path';
import type { S3Location } from '../adapters/s3/s3-connection';
import { isKeyName } from '../adapters/storage-key';
import { FlagError } from '../cli/flag';

/** Where a cluster keeps its files. */
export type FileLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | ({ readonly kind: 's3' } & S3Location);

const FORM = 'a folder or s3://<bucket>/<prefix>?endpoint=https://…&region=…';
const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'insecure']);
/** See Amazon's rules for names of buckets. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** Texts are never quoted in messages, because they may contain credentials. */
const mustNotContainCredentials = (label: string): FlagError =>
  new FlagError(
    `${label} must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
  );

const readParameters = (url: URL, label: string): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!PARAMETERS.has(name)) {
      throw new FlagError(`${label} may have the parameters endpoint, region and insecure only.`);
    }
    if (parameters.has(name)) throw new FlagError(`${label} has the parameter ${name} twice.`);
    parameters.set(name, value);
  }
  return parameters;
};

const readEndpoint = (text: string, isInsecure: boolean, label: string): string => {
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'http:';
  if (!url || !(isHttp || url.protocol === 'https:') || url.search !== '' || url.hash !== '') {
    throw new FlagError(`The endpoint of ${label} must be the URL of a service, with https.`);
  }
  if (hasCredentials(url)) throw mustNotContainCredentials(label);
  if (isHttp && !isInsecure && !LOOPBACK.test(url.hostname)) {
    throw new FlagError(
      `The endpoint of ${label} must use https; with insecure=1, files and signatures are sent unencrypted.`,
    );
  }
  return url.href;
};

const readPrefix = (pathname: string, label: string): string => {
  const names = pathname.split('/').filter((name) => name !== '');
  if (!names.every(isKeyName)) {
    throw new FlagError(
      `The prefix of ${label} may contain letters, digits, hyphens, dots and underscores only.`,
    );
  }
  return names.map((name) => `${name}/`).join('');
};

const parseS3 = (text: string, label: string): FileLocation => {
  const url = parseUrl(text);
  if (!url) throw new FlagError(`${label} must be ${FORM}.`);
  if (hasCredentials(url)) throw mustNotContainCredentials(label);
  if (!BUCKET.test(url.host) || url.hash !== '') {
    throw new FlagError(
      `${label} must name a bucket after s3://, in small letters, digits, hyphens and dots.`,
    );
  }
  const parameters = readParameters(url, label);
  const endpoint = parameters.get('endpoint');
  const region = parameters.get('region');
  const insecure = parameters.get('insecure');
  if (insecure !== undefined && insecure !== '1') throw new FlagError(`insecure in ${label} must be 1.`);
  if (region !== undefined && !REGION.test(region)) {
    throw new FlagError(`The region of ${label} must be a name such as eu-central-1.`);
  }
  return {
    kind: 's3',
    bucket: url.host,
    prefix: readPrefix(url.pathname, label),
    endpoint: endpoint === undefined ? undefined : readEndpoint(endpoint, insecure === '1', label),
    region,
  };
};

/**
 * Parses the location of a cluster's files.
 *
 * @param label name of the setting, for messages
 * @throws FlagError one sentence, which contains nothing of the text
 */
export const parseFileLocation = (text: string, label: string): FileLocation => {
  const trimmed = text.trim();
  if (trimmed === '') throw new FlagError(`${label} must be ${FORM}.`);
  if (/^s3:/i.test(trimmed)) return parseS3(trimmed, label);
  // Drives of Windows have one letter.
  if (/^[a-z][a-z0-9+.-]+:/i.test(trimmed)) throw new FlagError(`${label} must be ${FORM}, not another URL.`);
  return { kind: 'folder', path: resolve(trimmed) };
};
