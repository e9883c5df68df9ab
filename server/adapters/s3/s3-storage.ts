import type { Storage } from '#shared/ports/storage';
import type { ListedFile } from '../list-files';
import { KEY_FOLDERS, partsOfKey, partsOfPrefix } from '../storage-key';
import { connectS3, type S3Connection, type S3Location } from './s3-connection';
import { onS3 } from './s3-failure';
import { listObjects } from './s3-list';
import { openObject, readObject, type ObjectAddress } from './s3-read';
import { removeObjects } from './s3-remove';
import { createObject, uploadFile, writeObject } from './s3-write';

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
