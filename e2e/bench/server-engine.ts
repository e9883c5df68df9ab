import { resolve } from 'node:path';
import { LIMITS } from '#shared/domain/limits';
import type { Engine } from '#shared/ports/host-engine';
import { defaultSettings } from '../../server/cli/config';
import { openEngine, type ProcessEngine } from '../../server/open-engine';
import { buildOutdated } from './build-outdated';
import { jobOptions, type Case } from './job';

const ROOT = resolve(import.meta.dirname, '../..');
const ignore = (): void => undefined;
const NEVER = new AbortController().signal;

/** The engine as the server runs it, in processes of its own. @param workers number of images at a time */
export const openServerEngine = (workers: number): Promise<ProcessEngine> => {
  buildOutdated();
  return openEngine(ROOT, { ...defaultSettings(), workers }, { info: ignore, error: console.error });
};

/** One image from file to file. */
export const anonymiseImage = async (
  engine: Engine,
  bytes: Uint8Array,
  { classes }: Pick<Case, 'classes'>,
) => {
  const source = { sizeBytes: bytes.byteLength, read: async () => bytes };
  const header = await engine.inspectImage(source, LIMITS);
  return engine.anonymiseImage({ ...jobOptions(classes), header, source }, ignore, NEVER);
};
