import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { OBJECT_CLASSES } from '#shared/pipeline/object-class';
import type { ServiceSettings } from '#shared/tasks/settings';

/** What the server was started with. */
export interface Config extends Pick<
  ServiceSettings,
  'classes' | 'tiling' | 'saveMask' | 'hold' | 'syncWhenBusy'
> {
  readonly host: string;
  readonly port: number;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Put before `/v1/…` in links; undefined: the address that is listened on. */
  readonly apiEndpoint: string | undefined;
  readonly workers: number;
}

/**
 * Pictures worked on at once.
 *
 * Two cores to a picture: inference scales well to two threads and badly beyond four, while decoding, redaction and
 * encoding of one picture hardly use a second core at all.
 */
const defaultWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

export const threadsPerWorker = (workers: number): number =>
  Math.max(1, Math.floor(availableParallelism() / workers));

/** Beside where the server was started, not among the system's temporary files: those go at a reboot. */
const dataFolder = join(process.cwd(), '.veil');

export const defaultConfig = (): Config => ({
  host: '127.0.0.1',
  port: 7000,
  inputFolder: join(dataFolder, 'input'),
  outputFolder: join(dataFolder, 'output'),
  apiEndpoint: undefined,
  classes: OBJECT_CLASSES,
  tiling: { kind: 'whole' },
  saveMask: 'none',
  hold: 'all',
  syncWhenBusy: 'refuse',
  workers: defaultWorkers(),
});
