import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Program } from './programs';
import { runCommand, type CommandRun } from './run-command';

const countFiles = async (folder: string): Promise<number> => {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => !name.startsWith('.')).length;
};

/**
 * Runs a program on copies of files, in one process.
 *
 * @throws Error if it fails, or silently skips a file as some programs do
 */
export const runOnCopies = async (program: Program, files: readonly string[]): Promise<CommandRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'veil-peers-'));
  try {
    const [sources, results] = [join(folder, 'sources'), join(folder, 'results')];
    await mkdir(sources);
    const copies = files.map((file) => join(sources, basename(file)));
    for (const [i, copy] of copies.entries()) await copyFile(files[i] as string, copy);
    const run = await runCommand(program.command(copies, results));
    const written = (await countFiles(sources)) + (await countFiles(results)) - files.length;
    if (written < files.length) throw new Error(`it wrote ${written} of ${files.length} files`);
    return run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
