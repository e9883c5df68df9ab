import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import { BATCH_FLAGS } from '../cli/batch-flags';
import { COMMON_FLAGS } from '../cli/common-flags';
import { fileOptions, type FileSettings } from '../cli/file-settings';
import { FlagError, type Flag } from '../cli/flag';
import { readKeys } from '../cli/sources';
import { FileProblem } from './file-problem';
import { hidesLess } from './hides-less';

/** Sets detection settings for its folder and those below. */
export const SETTINGS_NAME = 'veil.yaml';
const MAX_BYTES = 16 * 1024;

/** Flags that a folder may set: detection alone, never programs, folders, packs or addresses. */
const ALLOWED: readonly string[] = [
  ...['anonymise', 'method', 'margin', 'bbox', 'plates', 'quality', 'head-fallback', 'detect-every'],
  ...OBJECT_CLASSES.flatMap((name) => [`${name}-threshold`, `${name}-method`, `${name}-margin`]),
];
const FOLDER_FLAGS: readonly Flag[] = [...COMMON_FLAGS, ...BATCH_FLAGS].filter(({ name }) =>
  ALLOWED.includes(name),
);

/** @returns undefined where there is none. @throws FlagError */
const readText = async (path: string): Promise<string | undefined> => {
  const about = await lstat(path).catch(() => undefined);
  if (!about) return undefined;
  if (!about.isFile()) throw new FlagError(`The settings file ${path} is not a file.`);
  if (about.size > MAX_BYTES) {
    throw new FlagError(`The settings file ${path} has more than ${MAX_BYTES} bytes.`);
  }
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new FlagError(`The settings file ${path} cannot be read.`);
  }
};

/** Reads a YAML mapping of plain values: no aliases, merge keys or tags, which may fill the memory. @throws FlagError */
const parseSettings = (text: string, path: string): ReadonlyMap<unknown, unknown> => {
  try {
    const document = parseDocument(text, { schema: 'core', merge: false, stringKeys: true });
    if (document.errors.length + document.warnings.length === 0) {
      const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
      if (value === null) return new Map();
      if (value instanceof Map) return value as Map<unknown, unknown>;
    }
  } catch {
    // aliases, or too many levels
  }
  throw new FlagError(
    `The settings file ${path} must be a YAML mapping of names to values, without aliases and tags.`,
  );
};

/** A class of a folder is added to those before. */
const merged = (before: FileSettings, change: Partial<FileSettings>): FileSettings => ({
  ...before,
  classes: OBJECT_CLASSES.filter((name) => [...before.classes, ...(change.classes ?? [])].includes(name)),
  upload: { ...before.upload, ...change.upload },
});

/** Applies one setting. @throws FlagError where it hides less */
const withSetting = (
  before: FileSettings,
  { read }: Flag,
  [texts, label]: readonly [readonly string[], string],
): FileSettings => {
  const after = merged(before, read(texts, label));
  const [were, are] = [before, after]
    .map(fileOptions)
    .map(({ options, video }) => ({ ...options, ...video }));
  if (hidesLess(were!, are!)) {
    throw new FlagError(`${label} would hide less than the command line or a folder above it.`);
  }
  return after;
};

/**
 * Settings of a folder's own file on top of others. Whoever made the folder can make it hide more, and nothing else.
 *
 * @param before those of the folder above it, or of the command line
 * @throws FileProblem with a sentence that names file and key: no file of the folder is processed then
 */
export const readFolderSettings = async (folder: string, before: FileSettings): Promise<FileSettings> => {
  const path = join(folder, SETTINGS_NAME);
  try {
    const text = await readText(path);
    if (text === undefined) return before;
    const source = readKeys(parseSettings(text, path), { what: 'The settings file', path }, FOLDER_FLAGS);
    return FOLDER_FLAGS.reduce((settings, each) => {
      const given = source.get(each.name);
      return given ? withSetting(settings, each, [given.texts, given.label]) : settings;
    }, before);
  } catch (error) {
    throw error instanceof FlagError ? new FileProblem(error.message, { cause: error }) : error;
  }
};
