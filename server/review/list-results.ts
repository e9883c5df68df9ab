import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditsBody } from '#shared/api/contract/schemas-edits';
import type { MaskKind } from '#shared/ports/engine';
import { MANIFEST_NAME, openManifest, type Entry, type Manifest } from '../batch/manifest';
import { MASK_SUFFIXES, type OutputNames } from '../batch/output-names';
import { areResultsThere } from '../batch/results';
import { readEditsFile } from '../cli/edits-file';
import { FlagError } from '../cli/flag';
import { StartProblem } from '../cli/start-problem';
import { findSources } from './find-sources';

/** A result that can be reviewed. */
export interface ReviewedResult {
  readonly entry: Entry;
  readonly outputs: OutputNames & { readonly anonymised: string };
  /** Path of the edits below the result folder. */
  readonly editsName: string;
  /** Edits that the result shows; undefined: none. */
  readonly edits: EditsBody | undefined;
  /** Path of the source. */
  readonly path: string;
}

/** Formats of anonymised files: their names are that of the source, or have one of these in addition. */
const ADDED_EXTENSION = /^(\.(jpg|png|mp4))?$/;

const anonymisedOf = ({ name, outputs }: Entry): string | undefined =>
  outputs.find((each) => each.startsWith(name) && ADDED_EXTENSION.test(each.slice(name.length)));

const editsNameOf = (anonymised: string): string => `${anonymised}.edits.json`;

/** By the page, because metadata of a source may have a name of the same form: that of `a-report.jpg`. */
const reportOf = (outputs: readonly string[]): OutputNames['report'] => {
  const page = outputs.find((each) => each.endsWith('-report.html'));
  return page === undefined ? null : { json: page.replace(/html$/, 'json'), page };
};

const outputsOf = ({ outputs }: Entry, anonymised: string): ReviewedResult['outputs'] => {
  const others = outputs.filter((each) => each !== anonymised && each !== editsNameOf(anonymised));
  const masks = Object.entries(MASK_SUFFIXES).flatMap(([kind, suffix]) => {
    const mask = others.find((each) => each.endsWith(suffix));
    return mask === undefined ? [] : [[kind as MaskKind, mask] as const];
  });
  const report = reportOf(others);
  const metadata = others.find((each) => each.endsWith('.json') && each !== report?.json) ?? null;
  return { anonymised, masks: Object.fromEntries(masks), metadata, report };
};

const readEdits = (path: string): EditsBody | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    return readEditsFile(path).body;
  } catch (error) {
    throw error instanceof FlagError ? new StartProblem(error.message, { cause: error }) : error;
  }
};

const withEdits = (folder: string, entry: Entry, anonymised: string): Omit<ReviewedResult, 'path'> => {
  const { name, edited } = entry;
  const editsName = editsNameOf(anonymised);
  const edits = readEdits(join(folder, editsName));
  if (edited && !edits) {
    throw new StartProblem(
      `The result of ${name} was written with --edits: copy the file with these edits to ${join(folder, editsName)}.`,
    );
  }
  return { entry, outputs: outputsOf(entry, anonymised), editsName, edits };
};

const requireManifest = async (folder: string): Promise<void> => {
  const isThere = await readFile(join(folder, MANIFEST_NAME)).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    throw new StartProblem(
      `The folder ${folder} has no list of results (${MANIFEST_NAME}): name the --output folder of a run over files.`,
    );
  }
};

/**
 * Lists the results in a folder that can be reviewed: anonymised files that are complete.
 *
 * @param sources files and folders of the run; none: they are searched
 * @returns the results, and the manifest, which the caller closes
 * @throws StartProblem
 */
export const listResults = async (
  folder: string,
  sources: readonly string[],
): Promise<{ readonly results: readonly ReviewedResult[]; readonly manifest: Manifest }> => {
  await requireManifest(folder);
  const manifest = await openManifest(folder);
  try {
    const found: Omit<ReviewedResult, 'path'>[] = [];
    for (const entry of manifest.all()) {
      const anonymised = anonymisedOf(entry);
      if (!entry.done || anonymised === undefined || !(await areResultsThere(folder, [anonymised]))) continue;
      found.push(withEdits(folder, entry, anonymised));
    }
    if (found.length === 0) throw new StartProblem(`The folder ${folder} has no results to review.`);
    const paths = await findSources(
      found.map(({ entry }) => entry),
      sources,
      folder,
    );
    return { results: found.map((one) => ({ ...one, path: paths.get(one.entry.name)! })), manifest };
  } catch (error) {
    await manifest.close();
    throw error;
  }
};
