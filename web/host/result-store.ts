import type { MaskKind } from '#shared/ports/engine';
import { outputFolder, readJson, writeJson } from '#shared/tasks/files/task-files';
import type { BlobStorage } from '../adapters/storage';
import type { ResultStore } from '../state/server-anonymiser';

/** Result record, stored next to the files. It is written last, so that it exists only if all files exist. */
interface Contents {
  readonly fileType: string | null;
  readonly masks: readonly { readonly kind: MaskKind; readonly type: string }[];
}

const contentsKey = (id: string): string => `${outputFolder(id)}brought.json`;
const fileKey = (id: string): string => `${outputFolder(id)}brought-file`;
const metadataKey = (id: string): string => `${outputFolder(id)}brought-metadata`;
const reportKey = (id: string): string => `${outputFolder(id)}brought-report`;
const maskKey = (id: string, kind: MaskKind): string => `${outputFolder(id)}brought-${kind}-mask`;

const JSON_TYPE = 'application/json';

/** Whether all files of a result exist. */
export const isInResultStore = async (storage: BlobStorage, id: string): Promise<boolean> =>
  (await storage.file(contentsKey(id))) !== undefined;

/** Stores results of a server in the tab's own storage. */
export const createResultStore = (storage: BlobStorage): ResultStore => {
  const typed = async (key: string, type: string): Promise<Blob> => {
    const file = await storage.file(key);
    if (!file) throw new Error('The result no longer exists.');
    return file.slice(0, file.size, type);
  };
  return {
    put: async (id, { file, masks, metadata, report }) => {
      await Promise.all([
        storage.keepBlob(metadataKey(id), metadata),
        ...(file ? [storage.keepBlob(fileKey(id), file)] : []),
        storage.keepBlob(reportKey(id), report),
        ...masks.map((mask) => storage.keepBlob(maskKey(id, mask.kind), mask.file)),
      ]);
      const contents: Contents = {
        fileType: file && file.type,
        masks: masks.map(({ kind, file: { type } }) => ({ kind, type })),
      };
      await writeJson(storage, contentsKey(id), contents);
    },
    get: async (id) => {
      const contents = await readJson<Contents>(storage, contentsKey(id));
      if (!contents) throw new Error('The result no longer exists.');
      const { fileType, masks } = contents;
      return {
        file: fileType === null ? null : await typed(fileKey(id), fileType),
        masks: await Promise.all(
          masks.map(async ({ kind, type }) => ({ kind, file: await typed(maskKey(id, kind), type) })),
        ),
        metadata: await typed(metadataKey(id), JSON_TYPE),
        report: await typed(reportKey(id), JSON_TYPE),
      };
    },
    putReport: async (id, report) => {
      if (!(await isInResultStore(storage, id))) throw new Error('The result no longer exists.');
      await storage.keepBlob(reportKey(id), report);
    },
    remove: (id) => storage.remove(outputFolder(id)),
  };
};
