import { CANDIDATE_FLOOR } from '../../domain/options';
import type { Task } from '../../domain/task';
import { savedMasks } from '../base/settings';
import { DEFAULT_ENCODINGS, formatOf } from '../files/image-formats';
import { sourceKey, writeResult } from '../files/task-files';
import type { ProcessPorts, ProcessSettings, ProgressRecords } from './process-ports';

/** Anonymises a task's image and writes the result. */
export const processImage = async (
  task: Task,
  { engine, storage, system }: ProcessPorts,
  settings: ProcessSettings,
  records: ProgressRecords,
  signal: AbortSignal,
): Promise<void> => {
  const bytes = await storage.read(sourceKey(task.id, formatOf(task.contentType)));
  if (!bytes) throw new Error('The input file of a queued task is gone.');
  const result = await engine.anonymiseImage(
    {
      bytes,
      options: task.options,
      limits: settings.limits,
      encodings: DEFAULT_ENCODINGS,
      masks: settings.maskFiles === 'written' ? savedMasks(settings) : [],
      candidateFloor: CANDIDATE_FLOOR,
      keepMetadata: task.options.keepsMetadata ?? settings.keepMetadata ?? false,
    },
    (progress) => void records.apply(task.id, { type: 'progressed', progress }),
    signal,
  );
  signal.throwIfAborted();
  await writeResult({ storage, system }, task.id, result, savedMasks(settings));
  signal.throwIfAborted();
};
