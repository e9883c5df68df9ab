import type * as Sdk from '@aws-sdk/client-s3';
import type * as Multipart from '@aws-sdk/lib-storage';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';

/** Facts of an error of the SDK or of Node, as far as it has them. */
interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly status: number;
}

const hasOfType = <K extends string>(value: object, key: K): value is Record<K, unknown> => key in value;

const statusOf = (error: object): number => {
  const metadata = hasOfType(error, '$metadata') ? error.$metadata : undefined;
  const isObject = typeof metadata === 'object' && metadata !== null;
  return isObject && hasOfType(metadata, 'httpStatusCode') ? Number(metadata.httpStatusCode) : 0;
};

const factsOf = (error: unknown): ErrorFacts => {
  if (!(error instanceof Error)) return { name: '', code: '', status: 0 };
  const code = hasOfType(error, 'code') && typeof error.code === 'string' ? error.code : '';
  return { name: error.name, code, status: statusOf(error) };
};

/** Whether the error means that there is no such object. A missing bucket is another matter where S3 names it. */
export const isMissingObject = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return name === 'NoSuchKey' || (status === 404 && name !== 'NoSuchBucket');
};

/** Whether a service does not offer a call. */
export const isNotOffered = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return name === 'NotImplemented' || name === 'MethodNotAllowed' || status === 405 || status === 501;
};

export const isMissingUpload = (error: unknown): boolean => factsOf(error).name === 'NoSuchUpload';

const FULL_NAMES: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull']);
const INSUFFICIENT_STORAGE = 507;

/** Runs calls of the SDK. Rejects with {@link StorageUnavailable}, whose cause only the log contains. */
export const onS3 = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    const { name, status } = factsOf(error);
    const isFull = status === INSUFFICIENT_STORAGE || FULL_NAMES.has(name);
    throw new StorageUnavailable(isFull ? 'full' : 'unreachable', error);
  }
};

const CREDENTIALS =
  'S3 needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile of AWS (AWS_PROFILE).';
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AccessDenied',
  'Forbidden',
]);
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;
const REGION_NAMES: ReadonlySet<string> = new Set(['PermanentRedirect', 'AuthorizationHeaderMalformed']);
const REGION =
  'S3 needs the region of the bucket: add region=… to the location of the files, or set AWS_REGION.';
const UNREACHED_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** @returns undefined where the facts do not explain it */
const explainFacts = ({ name, code, status }: ErrorFacts): string | undefined => {
  if (name === 'CredentialsProviderError') return CREDENTIALS;
  if (name === 'NoSuchBucket') return 'S3 has no bucket of this name: create it first.';
  if (REGION_NAMES.has(name)) return REGION;
  if (REFUSED_NAMES.has(name) || status === 401 || status === 403) {
    return `S3 refuses the credentials (${name}): check them, and that they may list, read, write and delete.`;
  }
  if (CERTIFICATE_CODES.test(code)) {
    return `The certificate of S3 is not trusted (${code}): name the file of its CA in NODE_EXTRA_CA_CERTS.`;
  }
  return undefined;
};

/** One sentence for the operator: why S3 cannot be used, and what to change. It contains no credentials. */
export const explainS3 = (error: unknown): string => {
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  if (cause instanceof Error && cause.message === 'Region is missing') return REGION;
  const facts = factsOf(cause);
  const fact = facts.code || facts.name || 'unknown error';
  const isUnreached = UNREACHED_CODES.has(facts.code) || facts.name === 'TimeoutError';
  const otherwise = isUnreached
    ? `S3 cannot be reached (${fact}): check the endpoint, and that it is running.`
    : `S3 cannot be used (${fact}).`;
  return explainFacts(facts) ?? otherwise;
};

/** A folder of a bucket. */
export interface S3Location {
  readonly bucket: string;
  /** What all keys begin with: empty, or with a slash at its end. */
  readonly prefix: string;
  /** URL of a service other than AWS. */
  readonly endpoint: string | undefined;
  /** Undefined: as the SDK finds it in environment variables and its files. */
  readonly region: string | undefined;
}

/** The SDK, which is loaded by the first use only, with a client. */
export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly multipart: typeof Multipart;
  readonly client: Sdk.S3Client;
}

const CONNECT_MS = 5000;
/** Without a byte in either direction. */
const IDLE_MS = 30_000;
/** For one request without the body of its answer: all of them are small, as large files are sent in parts. */
const REQUEST_MS = 120_000;
/** Including the first one. The SDK waits longer before each. */
const MAX_ATTEMPTS = 3;
/** Each is needed for a short time only: bodies are read at once. */
const MAX_SOCKETS = 128;

/** Most other services know no region and accept this one. */
const REGION_OF_ENDPOINT = 'us-east-1';

const regionOf = ({ region, endpoint }: S3Location): string | undefined =>
  region ?? (endpoint === undefined ? undefined : REGION_OF_ENDPOINT);

/** Loads the SDK and creates a client. Credentials come from the SDK's environment variables and files only. */
export const connectS3 = async (location: S3Location): Promise<S3Connection> => {
  // It warns of what later versions will need. This one is pinned.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [sdk, multipart] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const region = regionOf(location);
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const client = new sdk.S3Client({
    ...(region !== undefined && { region }),
    // Buckets in host names need wildcard names in DNS and certificates, which few other services have.
    ...(location.endpoint !== undefined && { endpoint: location.endpoint, forcePathStyle: true }),
    maxAttempts: MAX_ATTEMPTS,
    // Other services do not know the SDK's checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { sdk, multipart, client };
};
