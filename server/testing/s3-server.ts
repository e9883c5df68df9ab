import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import S3rver from 's3rver';

export const TEST_BUCKET = 'files';

/** Set as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
export const TEST_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

/** Answers a request instead of the server. @returns false where it leaves the request to the server */
type Intercept = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;

/** A small S3 server for tests. */
export interface S3Server {
  readonly endpoint: string;
  /** Uploads in parts that are neither complete nor aborted. */
  unfinishedUploads(): readonly string[];
  /** Replaces the interception of requests. */
  intercept(by: Intercept | undefined): void;
  close(): Promise<void>;
}

/** Keys on one page; S3 lists 1000. */
export const LISTED_KEYS = 50;

const DEADLINE_MS = 10_000;

/** s3rver answers before its last write has ended. */
const untilWritten = async (path: string, sizeBytes: number): Promise<void> => {
  for (const endMs = Date.now() + DEADLINE_MS; Date.now() < endMs; await wait(1)) {
    if (existsSync(path) && statSync(path).size === sizeBytes) return;
  }
  throw new Error(`s3rver has not written ${path}.`);
};

const openStore = async (directory: string): Promise<S3rver> => {
  const server = new S3rver({ directory, silent: true, configureBuckets: [{ name: TEST_BUCKET }] });
  await server.configureBuckets();
  const { store } = server;
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    const written = await putObject(object);
    await untilWritten(store.getResourcePath(object.bucket, object.key, 'object'), written.size);
    return written;
  };
  const putPart = store.putPart.bind(store);
  store.putPart = async (bucket, uploadId, part, content) => {
    const written = await putPart(bucket, uploadId, part, content);
    await untilWritten(
      join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, part),
      written.size,
    );
    return written;
  };
  const getObject = store.getObject.bind(store);
  // It takes an end of 0 for no end. An object with the value 0 is no false value.
  store.getObject = (bucket, key, { start, end }) =>
    getObject(bucket, key, { start, end: end === 0 ? { valueOf: () => 0 } : end });
  return server;
};

const answerXml = (response: ServerResponse, xml: string): true => {
  response.setHeader('content-type', 'application/xml');
  response.end(xml);
  return true;
};

/** Adds the calls that s3rver does not have, and lists of several pages, which fail in it with OpenSSL 3. */
const missingCalls = (store: S3rver['store']) => {
  const uploadsFolder = store.getResourcePath(TEST_BUCKET, undefined, 'uploads');
  const unfinished = (): string[] => (existsSync(uploadsFolder) ? readdirSync(uploadsFolder) : []);
  const keyOf = (id: string): string => readFileSync(join(uploadsFolder, id, 'key'), 'utf8');
  const listUploads = (prefix: string): string => {
    const uploads = unfinished()
      .filter((id) => keyOf(id).startsWith(prefix))
      .map((id) => `<Upload><Key>${keyOf(id)}</Key><UploadId>${id}</UploadId></Upload>`);
    return `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`;
  };
  const listObjects = async (prefix: string, startAfter: string): Promise<string> => {
    const options = { prefix, startAfter, maxKeys: LISTED_KEYS };
    const { objects, isTruncated } = await store.listObjects(TEST_BUCKET, options);
    const contents = objects
      .map(({ key, metadata }) => {
        const modified = new Date(metadata['last-modified']).toISOString();
        const facts = `<LastModified>${modified}</LastModified><Size>${metadata['content-length']}</Size>`;
        return `<Contents><Key>${key}</Key>${facts}</Contents>`;
      })
      .join('');
    return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`;
  };
  const answer: Intercept = ({ method }, response, { pathname, searchParams }) => {
    const prefix = searchParams.get('prefix') ?? '';
    const isOfBucket = method === 'GET' && pathname.startsWith(`/${TEST_BUCKET}`);
    if (isOfBucket && searchParams.has('uploads')) return answerXml(response, listUploads(prefix));
    if (isOfBucket && searchParams.has('list-type')) {
      void listObjects(prefix, searchParams.get('start-after') ?? '').then((xml) => answerXml(response, xml));
      return true;
    }
    const uploadId = searchParams.get('uploadId');
    if (method !== 'DELETE' || uploadId === null) return false;
    rmSync(join(uploadsFolder, uploadId), { recursive: true, force: true });
    response.writeHead(204).end();
    return true;
  };
  return { unfinished, answer };
};

/** Starts a server on a free port. @param tls PEM texts; undefined: plain HTTP */
export const startS3Server = async (tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'veil-s3-'));
  const s3rver = await openStore(directory);
  const missing = missingCalls(s3rver.store);
  const serve = s3rver.callback();
  let intercept: Intercept | undefined;
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '', 'http://s3');
    if (intercept?.(request, response, url) || missing.answer(request, response, url)) return;
    serve(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    unfinishedUploads: missing.unfinished,
    intercept: (by) => {
      intercept = by;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
