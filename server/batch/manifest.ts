import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const FILE_NAME = '.veil-batch.jsonl';
const OWNER_ONLY_FILE = 0o600;

/** Neither absolute nor with a `..` in it: files of these names are removed when they are no longer results. */
const INSIDE = '^(?!/)(?!(.*/)?\\.\\.(/|$))';

const Entry = Type.Object({
  /** As in `FoundFile`: what this is the entry of. */
  name: Type.String(),
  /** Which file it came from: a hash, as the folder may be handed on to people who need not know. */
  from: Type.String(),
  /** What that file was like: changes when it is edited. */
  source: Type.String(),
  /** All that decides what the results look like. */
  options: Type.String(),
  /** Files below the output folder. */
  outputs: Type.Array(Type.String({ pattern: INSIDE })),
  /** False: it had been begun, and its files may be there or not. */
  done: Type.Boolean(),
});
/** What was written for one picture or video. */
export type Entry = Static<typeof Entry>;

/** Which files of an output folder are results, and of what. */
export interface Manifest {
  get(name: string): Entry | undefined;
  /** The name of the picture or video whose result this file is. */
  ownerOf(output: string): string | undefined;
  put(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

/** A line that was cut off when the machine went down counts as not written. */
const parseLine = (line: string): Entry | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return Value.Check(Entry, value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const readLines = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

/**
 * Opens an output folder's list of results.
 *
 * Appended to, a line for each step: what an interrupted run leaves behind says how far it came.
 *
 * @param folder exists
 */
export const openManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, FILE_NAME);
  const text = await readLines(file);
  const entries = new Map<string, Entry>();
  const owners = new Map<string, string>();
  const take = (entry: Entry): void => {
    for (const output of entries.get(entry.name)?.outputs ?? []) owners.delete(output);
    for (const output of entry.outputs) owners.set(output, entry.name);
    entries.set(entry.name, entry);
  };
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry) take(entry);
  }
  const handle: FileHandle = await open(file, 'a', OWNER_ONLY_FILE);
  if (text !== '' && !text.endsWith('\n')) await handle.appendFile('\n');
  return {
    get: (name) => entries.get(name),
    ownerOf: (output) => owners.get(output),
    put: async (entry) => {
      take(entry);
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
    },
    close: () => handle.close(),
  };
};
