import { BAG_FORMATS, hasExtensionOf } from '#shared/catalogue/formats';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, dirname, resolve } from 'node:path';
import type { EditsBody } from '#shared/api/contract/schemas-edits';
import type { MaskKind } from '#shared/ports/engine';
import { MANIFEST_NAME, openManifest, type Entry, type Manifest } from '../batch/manifest';
import { MASK_SUFFIXES, type OutputNames } from '../batch/media-file';
import { readEditsFile } from '../cli/edits-file';
import { FlagError } from '../cli/flag';
import { StartProblem } from '../cli/start-problem';
import { findFiles, isFile } from '../batch/find-files';
import { fingerprint } from '../batch/plan-batch';
import { readDecisions } from './stored-decisions';

/** A source where it was found. */
interface Source {
  readonly path: string;
  readonly lastModifiedMs: number;
}

/** Whether a path is that of the source, and whether its content is still the same. */
type Match = Source | 'changed' | 'other';

/** At once, like all that is asked of the disk for each result: waiting for 10,000 answers takes ten times as long. */
const matchOf = (path: string, { from, source }: Entry): Match => {
  try {
    const about = statSync(path, { throwIfNoEntry: false }); // an error for each takes five times as long
    if (!about) return 'other';
    const { size, mtimeMs } = about;
    if (fingerprint([size, mtimeMs]) === source) return { path, lastModifiedMs: mtimeMs };
    return fingerprint(realpathSync(path)) === from ? 'changed' : 'other';
  } catch {
    return 'other';
  }
};

/** Possible paths of a source, by the name of its result. */
type Places = (name: string) => readonly string[];

const subfolders = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name));
};

/**
 * Places in and near the working directory and the result folder.
 *
 * The manifest contains no paths, because the folder may be given to other people. Its hashes confirm a path.
 */
const nearPlaces = async (resultFolder: string): Promise<Places> => {
  const own = resolve(resultFolder); // of a run with --suffix
  const roots = [...new Set([process.cwd(), dirname(own), own])];
  const folders = [...roots, ...(await Promise.all(roots.map(subfolders))).flat()];
  return (name) => folders.map((folder) => join(folder, name));
};

const givenPlaces = async (sources: readonly string[], resultFolder: string): Promise<Places> => {
  const paths = new Map<string, string>();
  for await (const found of findFiles(sources, { outputFolder: resultFolder })) {
    if (isFile(found)) paths.set(found.name, found.path);
  }
  return (name) => [paths.get(name)].filter((path) => path !== undefined);
};

const sourceOf = (entry: Entry, places: Places, resultFolder: string): Source => {
  const { name } = entry;
  let hasChanged = false;
  for (const path of places(name)) {
    const match = matchOf(path, entry);
    if (typeof match === 'object') return match;
    hasChanged ||= match === 'changed';
  }
  throw new StartProblem(
    hasChanged
      ? `The source of ${name} has changed since its result was written: process it again first.`
      : `The source of ${name} was not found: name its file or folder after the result folder, as in "veil review ${resultFolder} photos".`,
  );
};

/** A result that can be reviewed. */
export interface ReviewedResult extends Source {
  readonly entry: Entry;
  readonly outputs: OutputNames & { readonly anonymised: string };
  /** Path of the edits below the result folder. */
  readonly editsName: string;
  /** Path of the decisions about it below the result folder. */
  readonly decisionsName: string;
  /** Edits that the result shows; undefined: none. */
  readonly edits: EditsBody | undefined;
  /** Number of its uncertain objects that neither edits nor decisions name. */
  readonly undecided: number;
}

/** Formats of anonymised files in lists that do not name them: their names are that of the source, or have one of these in addition. */
const ADDED_EXTENSION = /^(\.(jpg|png|mp4))?$/;

const anonymisedOf = ({ name, outputs, anonymised }: Entry): string | undefined =>
  anonymised ??
  outputs.find((each) => each.startsWith(name) && ADDED_EXTENSION.test(each.slice(name.length)));

const editsNameOf = (anonymised: string): string => `${anonymised}.edits.json`;
const decisionsNameOf = (anonymised: string): string => `${anonymised}.decisions.json`;

/** By the page, because metadata of a source may have a name of the same form: that of `a-report.jpg`. */
const reportOf = (outputs: readonly string[]): OutputNames['report'] => {
  const page = outputs.find((each) => each.endsWith('-report.html'));
  return page === undefined ? null : { json: page.replace(/html$/, 'json'), page };
};

/** By the table, for the same reason. */
const logOf = (outputs: readonly string[]): OutputNames['log'] => {
  const csv = outputs.find((each) => each.endsWith('-redactions.csv'));
  return csv === undefined ? null : { json: csv.replace(/csv$/, 'json'), csv };
};

const outputsOf = ({ outputs, exports = {} }: Entry, anonymised: string): ReviewedResult['outputs'] => {
  const known = [anonymised, editsNameOf(anonymised), decisionsNameOf(anonymised), ...Object.values(exports)];
  const others = outputs.filter((each) => !known.includes(each));
  const masks = Object.entries(MASK_SUFFIXES).flatMap(([kind, suffix]) => {
    const mask = others.find((each) => each.endsWith(suffix));
    return mask === undefined ? [] : [[kind as MaskKind, mask] as const];
  });
  const report = reportOf(others);
  const log = logOf(others);
  const named = [report?.json, log?.json];
  const metadata = others.find((each) => each.endsWith('.json') && !named.includes(each)) ?? null;
  return { anonymised, masks: Object.fromEntries(masks), metadata, report, log, exports };
};

const readEdits = (path: string): EditsBody | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    return readEditsFile(path).body;
  } catch (error) {
    throw error instanceof FlagError ? new StartProblem(error.message, { cause: error }) : error;
  }
};

/** Numbers of objects about which somebody has decided; none where the file is not one of decisions, which is said later. */
const decidedIn = (path: string): readonly number[] => {
  try {
    const stored = readDecisions(readFileSync(path, 'utf8')) ?? [];
    return [...new Set(stored.flatMap(({ id }) => (id === undefined ? [] : [id])))];
  } catch {
    return [];
  }
};

const withEdits = (folder: string, entry: Entry, anonymised: string): Omit<ReviewedResult, keyof Source> => {
  const { name, edited } = entry;
  const editsName = editsNameOf(anonymised);
  const edits = readEdits(join(folder, editsName));
  if (edited && !edits) {
    throw new StartProblem(
      `The result of ${name} was written with --edits: copy the file with these edits to ${join(folder, editsName)}.`,
    );
  }
  const decisionsName = decisionsNameOf(anonymised);
  const ids = entry.outputs.includes(decisionsName) ? decidedIn(join(folder, decisionsName)) : [];
  const decided = ids.filter((id) => !edits?.objects?.some((edit) => edit.id === id));
  return {
    entry,
    outputs: outputsOf(entry, anonymised),
    editsName,
    decisionsName,
    edits,
    undecided: Math.max(0, (entry.uncertain ?? 0) - decided.length),
  };
};

const requireManifest = (folder: string): void => {
  if (!existsSync(join(folder, MANIFEST_NAME))) {
    throw new StartProblem(
      `The folder ${folder} has no list of results (${MANIFEST_NAME}): name the --output folder of a run over files.`,
    );
  }
};

/** Whether a result is there. A full disk may leave empty files. */
const isThere = (path: string): boolean => {
  const about = lstatSync(path, { throwIfNoEntry: false });
  return about !== undefined && about.isFile() && about.size > 0;
};

/**
 * Lists the results in a folder that can be reviewed: anonymised files that are complete, and no bags, which the page
 * does not show. No file is read but the list and stored edits, because a folder may have many.
 *
 * @param sources files and folders of the run; none: they are searched
 * @returns the results, and the manifest
 * @throws StartProblem
 */
export const listResults = async (
  folder: string,
  sources: readonly string[],
): Promise<{ readonly results: readonly ReviewedResult[]; readonly manifest: Manifest }> => {
  requireManifest(folder);
  const manifest = await openManifest(folder);
  const there = manifest.all().flatMap((entry) => {
    const anonymised = anonymisedOf(entry);
    if (!entry.done || anonymised === undefined || hasExtensionOf(BAG_FORMATS, anonymised)) return [];
    return isThere(join(folder, anonymised)) ? [withEdits(folder, entry, anonymised)] : [];
  });
  if (there.length === 0) throw new StartProblem(`The folder ${folder} has no results to review.`);
  const places = await (sources.length > 0 ? givenPlaces(sources, folder) : nearPlaces(folder));
  const results = there.map((one) => ({ ...one, ...sourceOf(one.entry, places, folder) }));
  return { results, manifest };
};
