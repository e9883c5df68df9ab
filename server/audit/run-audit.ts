import { StorageUnavailable } from '#shared/tasks/base/storage-unavailable';
import { isLargeSweep } from '#shared/tasks/sweep-guard';
import type { AuditConfig } from '../cli/cluster-config';
import { StartProblem } from '../cli/start-problem';
import type { AuditSource } from './audit-source';
import { groupFiles, isKnown, type FileGroup } from './find-orphans';
import { openClusterFiles } from './open-cluster';
import { openServerFiles } from './open-server';

/** A process may still be at younger files. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;

type Print = (line: string) => void;

const amountOf = (groups: readonly FileGroup[]): string => {
  const sum = (count: (group: FileGroup) => number): number =>
    groups.reduce((total, group) => total + count(group), 0);
  const files = sum((group) => group.files);
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(sum(({ bytes }) => bytes) / MEGABYTE).toFixed(1)} MB`;
};

const lineOf = (group: FileGroup, isYoung: boolean): string => {
  const changed = Number.isFinite(group.modifiedMs) ? new Date(group.modifiedMs).toISOString() : 'unknown';
  return `${group.prefix}: ${amountOf([group])}, changed ${changed}${isYoung ? ' (younger than a day)' : ''}`;
};

/**
 * Lists files without a record, and removes them if that is wanted.
 *
 * @throws StartProblem if it must not remove them
 */
export const audit = async (
  source: AuditSource,
  { removes, isConfirmed }: Pick<AuditConfig, 'removes' | 'isConfirmed'>,
  print: Print,
): Promise<void> => {
  if (removes) await source.keepOthersOut();
  const groups = await groupFiles(source.files());
  const known = await source.known();
  const orphans = groups.filter((group) => !isKnown(group, known));
  const oldestMs = (await source.nowMs()) - MIN_AGE_MS;
  const old = orphans.filter(({ modifiedMs }) => modifiedMs < oldestMs);
  for (const group of orphans) print(lineOf(group, !old.includes(group)));
  print(`${orphans.length} of ${groups.length} folders have no record (${amountOf(orphans)}).`);
  if (old.length === 0) return;
  if (!removes) return print('Nothing was removed: --remove removes those that are older than a day.');
  const isForeign = orphans.length === groups.length || isLargeSweep(old.length, groups.length);
  if (isForeign && !isConfirmed) {
    throw new StartProblem(
      'The records are probably not those of these folders. Nothing was removed: if they are, add --confirm-sweep.',
    );
  }
  for (const { prefix } of old) await source.remove(prefix);
  print(`Removed ${old.length} of them (${amountOf(old)}).`);
};

/** Runs `veil audit`. @throws StartProblem */
export const runAudit = async (
  config: AuditConfig,
  print: Print = (line) => void process.stdout.write(`${line}\n`),
): Promise<void> => {
  const { place } = config;
  const source = await (place.kind === 'server' ? openServerFiles(place.folders) : openClusterFiles(place));
  try {
    await audit(source, config, print);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new StartProblem(error.failure.sentence, { cause: error });
  } finally {
    await source.close();
  }
};
