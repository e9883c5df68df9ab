import type { ListedFile } from '../list-files';
import type { S3Connection } from './s3-connection';
import { onS3 } from './s3-failure';
import type { ObjectPrefix } from './s3-remove';

/** Lists all objects with a prefix, a page at a time. @param base what is removed from the beginning of their keys */
export async function* listObjects(
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
