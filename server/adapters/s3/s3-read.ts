import type { StoredFile, UnfinishedFile } from '#shared/ports/storage';
import { isMissingObject, onS3, type S3Connection } from './s3-connection';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { onDisk, writeAt } from '../disk-file';

/** The smallest that S3 permits. With at most 10,000 parts, files may have 48 GiB. */
const UPLOAD_PART_BYTES = 5 * 1024 * 1024;
/** Parts that are sent at the same time. All of them are in memory. */
const PARALLEL_PARTS = 3;

const OWNER_ONLY_FILE = 0o600;

/** Writes an object, in parts where it is large. It becomes visible as a whole, after its last byte. */
export const writeObject = async (
  { client, multipart }: S3Connection,
  address: ObjectAddress,
  body: Uint8Array | ReturnType<typeof createReadStream>,
  stop = new AbortController(),
): Promise<void> => {
  const upload = new multipart.Upload({
    client,
    params: { ...address, Body: body },
    partSize: UPLOAD_PART_BYTES,
    queueSize: PARALLEL_PARTS,
    abortController: stop,
  });
  await onS3(() => upload.done());
};

/** Writes a file of this machine as an object. */
export const uploadFile = async (
  connection: S3Connection,
  address: ObjectAddress,
  path: string,
  stop?: AbortController,
): Promise<void> => {
  const stream = createReadStream(path);
  try {
    await writeObject(connection, address, stream, stop);
  } finally {
    stream.destroy();
  }
};

/**
 * Creates an object that is written at any position: in a temporary file of this machine first, because S3 has no such
 * writes.
 *
 * @param path of the temporary file
 */
export const createObject = async (
  connect: () => Promise<S3Connection>,
  address: ObjectAddress,
  path: string,
): Promise<UnfinishedFile> => {
  const file = await onDisk(() => open(path, 'wx', OWNER_ONLY_FILE));
  const stop = new AbortController();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  const discard = async (): Promise<void> => {
    stop.abort();
    await close();
    await rm(path, { force: true });
  };
  return {
    write: (position, bytes) => onDisk(() => writeAt(file, position, bytes)),
    commit: async () => {
      await onDisk(close);
      await uploadFile(await connect(), address, path, stop);
      await discard();
    },
    discard,
  };
};

/** Where an object lies. */
export interface ObjectAddress {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Bytes of one request. Each part of a file is in memory before it is passed on: a slow reader would otherwise occupy a
 * connection, which S3 closes when it idles.
 */
const PART_BYTES = 2 * 1024 * 1024;
/** If the connection breaks within a body, which the SDK does not repeat. Including the first one. */
const MAX_ATTEMPTS = 3;

const undefinedIfMissing = (error: unknown): undefined => {
  if (isMissingObject(error)) return undefined;
  throw error;
};

/** @returns undefined where there is no such object */
const fetchBytes = async (
  { sdk, client }: S3Connection,
  address: ObjectAddress,
  range: { readonly Range?: string; readonly IfMatch?: string } = {},
): Promise<Uint8Array | undefined> => {
  for (let attempt = 1; ; attempt++) {
    const command = new sdk.GetObjectCommand({ ...address, ...range });
    const found = await client.send(command).catch(undefinedIfMissing);
    if (found === undefined) return undefined;
    try {
      return (await found.Body?.transformToByteArray()) ?? new Uint8Array(0);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

export const readObject = (
  connection: S3Connection,
  address: ObjectAddress,
): Promise<Uint8Array | undefined> => onS3(() => fetchBytes(connection, address));

/** Reads the bytes from `start` up to, not including, `end`. While one part is passed on, the next one is fetched. */
async function* readRange(
  connection: S3Connection,
  address: ObjectAddress,
  etag: string | undefined,
  [start, end]: readonly [number, number],
): AsyncIterable<Uint8Array> {
  const fetchPart = async (from: number): Promise<Uint8Array> => {
    const to = Math.min(from + PART_BYTES, end);
    // In HTTP the end is inclusive.
    const range = { Range: `bytes=${from}-${to - 1}`, ...(etag !== undefined && { IfMatch: etag }) };
    const bytes = await onS3(() => fetchBytes(connection, address, range));
    if (bytes?.byteLength !== to - from) throw new Error('A stored file was removed while it was read.');
    return bytes;
  };
  let next = start < end ? fetchPart(start) : undefined;
  for (let at = start; next; at += PART_BYTES) {
    const part: Uint8Array = await next;
    next = at + PART_BYTES < end ? fetchPart(at + PART_BYTES) : undefined;
    // The reader may stop before it asks for the part.
    next?.catch(() => undefined);
    yield part;
  }
}

/** @returns undefined where there is no such object */
export const openObject = async (
  connection: S3Connection,
  address: ObjectAddress,
): Promise<StoredFile | undefined> => {
  const { sdk, client } = connection;
  const found = await onS3(() => client.send(new sdk.HeadObjectCommand(address)).catch(undefinedIfMissing));
  if (found === undefined) return undefined;
  return {
    sizeBytes: found.ContentLength ?? 0,
    read: (start, end) => readRange(connection, address, found.ETag, [start, end]),
  };
};
