import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { UnfinishedFile } from '#shared/ports/storage';
import { onDisk } from '../disk-refusal';
import { writeAt } from '../write-at';
import type { S3Connection } from './s3-connection';
import { onS3 } from './s3-failure';
import type { ObjectAddress } from './s3-read';

/** The smallest that S3 permits. With at most 10,000 parts, files may have 48 GiB. */
const PART_BYTES = 5 * 1024 * 1024;
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
    partSize: PART_BYTES,
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
