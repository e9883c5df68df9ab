declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  interface StoredObject {
    readonly bucket: string;
    readonly key: string;
  }
  interface ListedObject extends StoredObject {
    readonly metadata: { readonly 'last-modified': string; readonly 'content-length': number };
  }
  interface Store {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    putObject(object: StoredObject): Promise<{ readonly size: number; readonly md5: string }>;
    putPart(
      bucket: string,
      uploadId: string,
      part: string,
      content: unknown,
    ): Promise<{ readonly size: number }>;
    getObject(
      bucket: string,
      key: string,
      range: { readonly start?: number | undefined; readonly end?: number | object | undefined },
    ): Promise<unknown>;
    listObjects(
      bucket: string,
      options: { readonly prefix: string; readonly startAfter: string; readonly maxKeys: number },
    ): Promise<{ readonly objects: readonly ListedObject[]; readonly isTruncated: boolean }>;
  }
  export default class S3rver {
    constructor(options: {
      readonly directory: string;
      readonly silent: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    readonly store: Store;
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
}
