import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { EXPORT_FORMATS } from './exports/exports';

export const MANIFEST_NAME = '.veil-batch.jsonl';
const OWNER_ONLY_FILE = 0o600;

/** A relative path without `..`. Results are written and outdated ones removed by these paths, so they must be in the output folder. */
const Inside = Type.String({ pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))' });

const Entry = Type.Object({
  /** Name of the image or video, as in `FoundFile`. */
  name: Type.String(),
  /** Hash of the source's path. Not the path itself, because the folder may be given to other people. */
  from: Type.String(),
  /** State of the source, which changes when the file is edited. */
  source: Type.String(),
  /** Hash of all options that affect the results. */
  options: Type.String(),
  /** That of `outputs` which is the anonymised file; absent where there is none, and in older lists. */
  anonymised: Type.Optional(Inside),
  /** Those of `outputs` that are exports, by format; absent where there are none. */
  exports: Type.Optional(Type.Partial(Type.Record(Type.Enum([...EXPORT_FORMATS]), Inside))),
  /** Paths of the results below the output folder. */
  outputs: Type.Array(Inside),
  /** Path of the plan below the output folder; absent where there is none, and in older lists. */
  plan: Type.Optional(Inside),
  /** The query of an upload with the same options. */
  request: Type.String(),
  /** Number of uncertain objects that no edit names; absent in older lists. */
  uncertain: Type.Optional(Type.Integer()),
  /** Whether the results contain edits that were given as a file. */
  edited: Type.Optional(Type.Boolean()),
  /** False if processing has started and not ended: results may be missing. */
  done: Type.Boolean(),
});
/** The results of one image or video. */
export type Entry = Static<typeof Entry>;

/** The results in an output folder and their sources. */
export interface Manifest {
  get(name: string): Entry | undefined;
  /** In the order in which they were processed. */
  all(): Entry[];
  /** The name of the image or video that a result belongs to. */
  ownerOf(output: string): string | undefined;
  put(entry: Entry): Promise<void>;
}

/** Compiled, because a list may have many lines: a third of the time. */
const CHECK = Compile(Entry);

/** Parses a line. A line that was cut off by a crash is ignored. */
const parseLine = (line: string): Entry | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return CHECK.Check(value) ? value : undefined;
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
 * Opens the manifest of an output folder.
 *
 * Each step appends a line, so that the manifest is correct after an interrupted run. The first one creates the file.
 *
 * @param folder an existing folder
 */
export const openManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, MANIFEST_NAME);
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
  /** Ends a line that was cut off. */
  let separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    get: (name) => entries.get(name),
    all: () => [...entries.values()],
    ownerOf: (output) => owners.get(output),
    put: async (entry) => {
      take(entry);
      const line = `${separator}${JSON.stringify(entry)}\n`;
      separator = '';
      await appendFile(file, line, { mode: OWNER_ONLY_FILE });
    },
  };
};
