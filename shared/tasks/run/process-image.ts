import { requireSubject } from '../subjects/require-subject';
import { factsOfBytes } from '../base/content-tag';
import { CANDIDATE_FLOOR } from '../../domain/options';
import type { FileFacts } from '../../domain/provenance';
import type { Task } from '../../domain/task';
import { savedMasks } from '../base/settings';
import { DEFAULT_ENCODINGS, formatOf } from '../files/image-formats';
import { sourceKey, writeResult } from '../files/task-files';
import type { ProcessPorts, ProcessSettings, ProgressRecords } from './process-ports';

/** Starts at once, because the engine may take the bytes away. */
const describeSource = (
  task: Task,
  bytes: Uint8Array,
  system: ProcessPorts['system'],
): Promise<FileFacts> => {
  const facts = task.source ? Promise.resolve(task.source) : factsOfBytes(bytes, system);
  facts.catch(() => undefined); // it is awaited only for a result
  return facts;
};

/** Anonymises a task's image and writes the result. */
export const processImage = async (
  task: Task,
  ports: ProcessPorts,
  settings: ProcessSettings,
  records: ProgressRecords,
  signal: AbortSignal,
): Promise<void> => {
  const { engine, storage, system, subjects } = ports;
  const { show } = task.options;
  if (show !== undefined) await requireSubject(subjects, show);
  const read = async (): Promise<Uint8Array> => {
    const upload = await storage.read(sourceKey(task.id, formatOf(task.contentType)));
    if (!upload) throw new Error('The input file of a queued task is gone.');
    return upload;
  };
  const bytes = await read();
  const keepsMetadata = task.options.keepsMetadata ?? settings.keepMetadata ?? false;
  const source = describeSource(task, bytes, system);
  const hidden = await engine.anonymiseImage(
    {
      bytes,
      options: task.options,
      limits: settings.limits,
      encodings: DEFAULT_ENCODINGS,
      masks: settings.maskFiles === 'written' ? savedMasks(settings) : [],
      candidateFloor: CANDIDATE_FLOOR,
      keepMetadata: keepsMetadata,
    },
    (progress) => void records.apply(task.id, { type: 'progressed', progress }),
    signal,
  );
  const result =
    show === undefined
      ? hidden
      : await (
          await import('../subjects/show-in-image')
        ).showInImage(hidden, { show, read, settings, keepsMetadata }, ports, signal);
  signal.throwIfAborted();
  await writeResult({ storage, system }, task.id, result, await source, savedMasks(settings));
  if (show !== undefined) await requireSubject(subjects, show); // deleted in the meantime
  signal.throwIfAborted();
};
