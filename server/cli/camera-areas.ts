import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { ApiError } from '#shared/api/contract/errors';
import { optionsWithAreas } from '#shared/api/handlers/options-with-areas';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import { MAX_JSON_CHARS } from '#shared/catalogue/parameters';
import type { ReasonCode } from '#shared/domain/reasons';
import type { CameraAreas } from './config';
import { FlagError } from './flag';

/** The set of files that no other set is for. */
const OTHERS = '*';

const readText = (path: string, label: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new FlagError(`The file ${path} of ${label} cannot be read.`);
  }
};

/** Of two sets with one name `JSON.parse` would ignore one, and leave its areas visible. */
const hasDuplicates = (text: string): boolean =>
  parseDocument(text, { schema: 'json' }).errors.some(({ code }) => code === 'DUPLICATE_KEY');

const parseObject = (text: string, label: string): object => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FlagError(`The file of ${label} must be JSON: areas, or sets of them by the names of cameras.`);
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new FlagError(`The file of ${label} must contain areas, or sets of them by the names of cameras.`);
};

/**
 * Reads `--hides`: areas, or a file with them, or with named sets of them.
 *
 * @returns the text of the parameter, or the sets @throws FlagError
 */
export const readHides = (given: string, label: string): string | CameraAreas => {
  if (given.trimStart().startsWith('[')) return given;
  const text = readText(given, label);
  const value = parseObject(text, label);
  if (Array.isArray(value)) return text;
  if (hasDuplicates(text)) throw new FlagError(`The file of ${label} names a camera twice.`);
  const sets = Object.entries(value);
  if (sets.length === 0) throw new FlagError(`The file of ${label} names no camera.`);
  return new Map(sets.map(([name, areas]) => [name, JSON.stringify(areas)] as const));
};

/** Checks all sets, also those of cameras without a file. @throws FlagError */
export const checkCameraAreas = (cameras: CameraAreas, reasons: readonly ReasonCode[] = []): void => {
  for (const [name, hides] of cameras) {
    const wrong = (sentence: string): FlagError =>
      new FlagError(`The set ${JSON.stringify(name)} of --hides is refused: ${sentence}`);
    if (hides.length > MAX_JSON_CHARS) {
      throw wrong(`it has more than ${MAX_JSON_CHARS} characters.`);
    }
    try {
      optionsWithAreas({ hides }, { classes: DEFAULT_CLASSES, format: { kind: 'whole' }, reasons });
    } catch (error) {
      throw error instanceof ApiError ? wrong(error.message) : error;
    }
  }
};

/** Whether a file is of a camera: in a folder of its name, or its own name begins with it (`door_0001.jpg`). */
const isOf = (camera: string, folders: readonly string[], file: string): boolean =>
  folders.includes(camera) || (file.startsWith(camera) && !/^[\p{L}\p{N}]/u.test(file.slice(camera.length)));

/**
 * The areas of a file: those of all sets that are for it.
 *
 * @param name below the input, with folders @returns undefined where no set is for it: it must not be left as it is
 */
export const areasOf = (cameras: CameraAreas, path: string, name: string): string | undefined => {
  const folders = [...name.split('/').slice(0, -1), basename(dirname(resolve(path)))];
  const own = [...cameras].filter(([camera]) => camera !== OTHERS && isOf(camera, folders, basename(path)));
  if (own.length === 0) return cameras.get(OTHERS);
  return JSON.stringify(own.flatMap(([, areas]) => JSON.parse(areas) as unknown[]));
};
