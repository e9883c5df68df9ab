import { constants } from 'node:fs';
import { access, mkdir, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { BatchConfig } from '../cli/config';
import { StartProblem } from '../cli/start-problem';
import type { FoundFile } from './find-files';
import { openManifest, type Manifest } from './manifest';
import { createNamer, type Namer, type WantedResults } from './media-file';

/** A folder with results. */
export interface Output {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly namer: Namer;
}

/** Where the results of a file are written. */
interface Place {
  readonly output: Output;
  /** Path of the file's results below the folder, with `/` as the separator. */
  readonly name: string;
}

/** The folders with results of a run. */
export interface Outputs {
  /** A folder on the disk of the results, for unfinished ones. */
  readonly workFolder: string;
  of(file: FoundFile): Promise<Place>;
  /** Leaves nothing behind where nothing was processed. */
  undo(): Promise<void>;
}

const openOutput = async (folder: string, namer: Namer): Promise<Output> => ({
  folder,
  manifest: await openManifest(folder),
  namer,
});

/** Removes an output folder in which nothing was written. @param created the topmost folder to remove */
const removeCreated = async (folder: string, created: string): Promise<void> => {
  const top = resolve(created);
  for (let each = resolve(folder); each.startsWith(top); each = dirname(each)) await rmdir(each);
};

const oneFolder = async (folder: string, namer: Namer): Promise<Outputs> => {
  try {
    const created = await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    const output = await openOutput(folder, namer);
    return {
      workFolder: folder,
      of: async ({ name }) => ({ output, name }),
      undo: async () => {
        if (created !== undefined) await removeCreated(folder, created);
      },
    };
  } catch (error) {
    throw new StartProblem(`The folder ${folder} is not writable: choose another with --output.`, {
      cause: error,
    });
  }
};

const folderOf = async (input: string): Promise<string> => {
  const isFolder = await stat(input).then(
    (about) => about.isDirectory(),
    () => false,
  );
  return isFolder ? input : dirname(input);
};

/**
 * Results next to their sources. Each folder has a manifest of its own, so that a run over a part of a tree knows the
 * results of a run over all of it.
 */
const besideSources = async (inputs: readonly string[], namerOf: () => Namer): Promise<Outputs> => {
  const opened = new Map<string, Promise<Output>>();
  const open = (folder: string): Promise<Output> => {
    const output = opened.get(resolve(folder)) ?? openOutput(folder, namerOf());
    opened.set(resolve(folder), output);
    return output;
  };
  return {
    workFolder: await folderOf(inputs[0]!),
    of: async ({ path }) => ({ output: await open(dirname(path)), name: basename(path) }),
    undo: async () => undefined,
  };
};

/** @throws StartProblem */
export const openOutputs = (
  { outputFolder, inputs, suffix, video }: Pick<BatchConfig, 'outputFolder' | 'inputs' | 'suffix' | 'video'>,
  wanted: WantedResults,
): Promise<Outputs> => {
  const namerOf = (): Namer => createNamer(wanted, { suffix, preview: video.preview });
  return outputFolder === undefined ? besideSources(inputs, namerOf) : oneFolder(outputFolder, namerOf());
};
