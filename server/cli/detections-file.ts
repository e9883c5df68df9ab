import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApiError } from '#shared/api/contract/errors';
import { LIMITS } from '#shared/domain/limits';
import type { DetectionsFile } from './config';
import { FlagError } from './flag';

const readBytes = (path: string): Uint8Array => {
  try {
    return readFileSync(path);
  } catch {
    throw new FlagError(`The file of --from ${path} cannot be read.`);
  }
};

/**
 * Reads the file of `--from`. Whether it fits an image or video is known only when that is opened.
 *
 * @throws FlagError
 */
export const readDetectionsFile = (path: string): DetectionsFile => {
  const bytes = readBytes(path);
  const { byteLength: sizeBytes } = bytes;
  const { maxDetectionsBytes } = LIMITS;
  if (sizeBytes > maxDetectionsBytes) {
    throw new FlagError(new ApiError('detections_too_large', maxDetectionsBytes).message);
  }
  return { path, facts: { sizeBytes, sha256: createHash('sha256').update(bytes).digest('hex') } };
};
