import type { ListMultipartUploadsCommandOutput, MultipartUpload } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection';
import { isMissingUpload, isNotOffered } from './s3-failure';

/** All objects whose keys begin with `Prefix`. */
export interface ObjectPrefix {
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
export const removeObjects = async (connection: S3Connection, prefix: ObjectPrefix): Promise<void> => {
  await abortUploads(connection, prefix);
  while (await removeBatch(connection, prefix));
};
