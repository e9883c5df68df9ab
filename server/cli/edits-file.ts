import { readFileSync } from 'node:fs';
import { ApiError } from '#shared/api/contract/errors';
import { Edits } from '#shared/api/contract/schemas-edits';
import { readJsonBody } from '#shared/api/http/json-body';
import { LIMITS } from '#shared/domain/limits';
import type { EditsFile } from './config';
import { FlagError } from './flag';

/** The error for edits that the API refuses. @param sentence of the API */
export const editsRefused = (path: string, sentence: string): FlagError =>
  new FlagError(`The edits in ${path} are refused: ${sentence}`);

const readBytes = (path: string): Uint8Array => {
  try {
    return readFileSync(path);
  } catch {
    throw new FlagError(`The edits file ${path} cannot be read.`);
  }
};

/**
 * Reads the file of `--edits`. Whether the edits fit the image or video is known only after its detection.
 *
 * @throws FlagError
 */
export const readEditsFile = (path: string): EditsFile => {
  const bytes = readBytes(path);
  const { maxJsonBytes } = LIMITS;
  if (bytes.byteLength > maxJsonBytes) {
    throw editsRefused(path, new ApiError('body_too_large', maxJsonBytes).message);
  }
  try {
    return { path, body: readJsonBody(Edits, bytes) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'not_json') throw new FlagError(`The edits file ${path} must hold one JSON object.`);
    throw editsRefused(path, error.message);
  }
};
