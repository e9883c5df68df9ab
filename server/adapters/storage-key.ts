/** First folders of keys. */
export const KEY_FOLDERS = ['input', 'output'] as const;
export type KeyFolder = (typeof KEY_FOLDERS)[number];

/** A key's parts. */
export interface KeyParts {
  readonly folder: KeyFolder;
  /** At least one: the task's id first, then folders, then the file's name. */
  readonly names: readonly string[];
}

/** Permitted names: without separators and leading dots, so neither `..` nor hidden files. */
const NAME = /^[\w-][\w.-]{0,127}$/;

export const isKeyName = (name: string): boolean => NAME.test(name);

/**
 * Splits a key, after a check that it cannot lead out of the folders.
 *
 * @throws Error if it could. Keys are made by the product, so that is one of its faults
 */
export const partsOfKey = (key: string): KeyParts => {
  const [folder, ...names] = key.split('/');
  if (folder !== 'input' && folder !== 'output') throw new Error(`No such storage folder: ${key}`);
  if (names.length === 0 || !names.every(isKeyName)) throw new Error(`Not a storage key: ${key}`);
  return { folder, names };
};

/** What a prefix selects: all files of a folder, or those whose names have a common beginning. */
export interface PrefixParts {
  /** Key of the folder, without a slash at its end. */
  readonly folderKey: string;
  /** Empty for a whole folder. */
  readonly beginning: string;
}

/** Splits the prefix of a removal. @throws Error if it is not below the folder of a task */
export const partsOfPrefix = (prefix: string): PrefixParts => {
  const end = prefix.lastIndexOf('/');
  const folderKey = prefix.slice(0, end);
  const beginning = prefix.slice(end + 1);
  partsOfKey(folderKey);
  if (beginning !== '' && !isKeyName(beginning)) throw new Error(`Not a prefix of storage keys: ${prefix}`);
  return { folderKey, beginning };
};
