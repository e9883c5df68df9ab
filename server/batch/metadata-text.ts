import { posix } from 'node:path';
import { imageMetadata } from '#shared/api/handlers/metadata';
import type { StoredResult } from '#shared/tasks/files/task-files';

/** The metadata of an image as the text of its file. @param name path of its result below the output folder */
export const metadataText = (name: string, result: Pick<StoredResult, 'report' | 'masks'>): string => {
  const folder = posix.dirname(name);
  const origin = { filename: posix.basename(name), folder: folder === '.' ? null : folder };
  return `${JSON.stringify(imageMetadata(origin, result), null, 2)}\n`;
};
