import type { Storage } from '#shared/ports/storage';
import type { ListedFile } from '../list-files';
import { KEY_FOLDERS, partsOfKey, partsOfPrefix } from '../storage-key';
import {
  type S3Connection,
  type S3Location,
  connectS3,
  onS3,
  isMissingUpload,
  isNotOffered,
} from './s3-connection';
import { openObject, readObject, type ObjectAddress, createObject, uploadFile, writeObject } from './s3-read';
import type { ListMultipartUploadsCommandOutput, MultipartUpload } from '@aws-sdk/client-s3';

/** All objects whose keys begin with `Prefix`. */
interface ObjectPrefix {
  readonly Bucket: string;
  readonly Prefix: string;
}

/** Keys in one answer, and in one removal: the limit of S3. */
const BATCH = 1000;

const NO_UPLOADS = { Uploads: [], IsTruncated: false };

type UploadPage = Pick<ListMultipartUploadsCommandOutput, 'Uploads' | 'IsTruncated'>;

/** Some services have no list of unfinished uploads: they remove them by themselves. */
const listUploads = ({ sdk, client }: S3Connection, prefix: ObjectPrefix): Promise<UploadPage> =>
  client.send(new sdk.ListMultipartUploadsCommand(prefix)).catch((error: unknown) => {
    if (isNotOffered(error)) return NO_UPLOADS;
    throw error;
  });

const abortUpload = async (
  { sdk, client }: S3Connection,
  Bucket: string,
  { Key, UploadId }: MultipartUpload,
): Promise<void> => {
  await client
    .send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    .catch((error: unknown) => {
      if (!isMissingUpload(error)) throw error;
    });
};

/** Aborts unfinished uploads: their parts are invisible, and cost storage. */
const abortUploads = async (connection: S3Connection, prefix: ObjectPrefix): Promise<void> => {
  for (let isMore = true; isMore;) {
    const { Uploads = [], IsTruncated = false } = await listUploads(connection, prefix);
    await Promise.all(Uploads.map((upload) => abortUpload(connection, prefix.Bucket, upload)));
    isMore = IsTruncated && Uploads.length > 0;
  }
};

/** Removes up to {@link BATCH} objects. @returns whether there may be more */
const removeBatch = async (
  { sdk, client }: S3Connection,
  { Bucket, Prefix }: ObjectPrefix,
): Promise<boolean> => {
  const listed = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: BATCH }));
  const Objects = (listed.Contents ?? []).map(({ Key }) => ({ Key }));
  if (Objects.length === 0) return false;
  const { Errors: [error] = [] } = await client.send(
    new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
  );
  if (error) throw Object.assign(new Error(error.Message), { name: error.Code ?? 'Error' });
  return listed.IsTruncated === true;
};

/** Removes all objects with a prefix, and the unfinished uploads, which are aborted first so that none completes later. */
const removeObjects = async (connection: S3Connection, prefix: ObjectPrefix): Promise<void> => {
  await abortUploads(connection, prefix);
  while (await removeBatch(connection, prefix));
};

/** Lists all objects with a prefix, a page at a time. @param base what is removed from the beginning of their keys */
async function* listObjects(
  { sdk, client }: S3Connection,
  prefix: ObjectPrefix,
  base: string,
): AsyncGenerator<ListedFile> {
  let StartAfter: string | undefined;
  let isMore = true;
  while (isMore) {
    const page = await onS3(() => client.send(new sdk.ListObjectsV2Command({ ...prefix, StartAfter })));
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
      yield { key: Key.slice(base.length), sizeBytes: Size, modifiedMs: LastModified?.getTime() ?? Infinity };
    }
    StartAfter = page.Contents?.at(-1)?.Key;
    isMore = page.IsTruncated === true && StartAfter !== undefined;
  }
}

export interface S3StorageOptions {
  /** Path of a new temporary file on this machine. */
  readonly newPath: () => string;
}

/** Storage on S3. */
export interface S3Storage extends Storage {
  /** Stores a complete file of this machine. */
  writeFile(key: string, path: string): Promise<void>;
  /** All files. */
  list(): AsyncIterable<ListedFile>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Files of tasks in a bucket. Rejects with `StorageUnavailable` if S3 is full, refuses a call or cannot be reached.
 *
 * The SDK is loaded by the first call.
 */
export const createS3Storage = (location: S3Location, { newPath }: S3StorageOptions): S3Storage => {
  let opening: Promise<S3Connection> | undefined;
  const connect = (): Promise<S3Connection> => (opening ??= connectS3(location));
  const { bucket, prefix } = location;
  const addressOf = (key: string): ObjectAddress => {
    const { folder, names } = partsOfKey(key);
    return { Bucket: bucket, Key: `${prefix}${[folder, ...names].join('/')}` };
  };
  return {
    write: async (key, bytes) => {
      const address = addressOf(key);
      await writeObject(await connect(), address, bytes);
    },
    writeFile: async (key, path) => {
      const address = addressOf(key);
      await uploadFile(await connect(), address, path);
    },
    read: async (key) => {
      const address = addressOf(key);
      return readObject(await connect(), address);
    },
    open: async (key) => {
      const address = addressOf(key);
      return openObject(await connect(), address);
    },
    create: async (key) => createObject(connect, addressOf(key), newPath()),
    remove: async (keyPrefix) => {
      const { folderKey, beginning } = partsOfPrefix(keyPrefix);
      const { Bucket, Key } = addressOf(folderKey);
      const connection = await connect();
      await onS3(() => removeObjects(connection, { Bucket, Prefix: `${Key}/${beginning}` }));
    },
    async *list() {
      for (const folder of KEY_FOLDERS) {
        yield* listObjects(await connect(), { Bucket: bucket, Prefix: `${prefix}${folder}/` }, prefix);
      }
    },
    close: async () => (await opening)?.client.destroy(),
  };
};
