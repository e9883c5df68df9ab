import type * as Sdk from '@aws-sdk/client-s3';
import type * as Multipart from '@aws-sdk/lib-storage';

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
