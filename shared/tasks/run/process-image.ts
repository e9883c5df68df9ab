import { requireSubject } from '../subjects/subjects';
import { factsOfFile, byteSourceOf } from '../base/digest';
import { CANDIDATE_FLOOR } from '../../domain/options';
import type { FileFacts } from '../../domain/image-header';
import type { Task, TaskEvent } from '../../domain/task';
import type { StoredFile } from '../../ports/storage';
import {
  encodingOf,
  keepsMetadata,
  savedMasks,
  type ServiceSettings,
  type TaskPorts,
} from '../base/settings';
import { requireResultFormat } from '../../engine/formats/recognise';
import { sourceKey, writeResult } from '../files/task-files';
import { givenOf } from './given';

/** What processing a file takes of a host. */
export type ProcessPorts = Pick<TaskPorts, 'engine' | 'storage' | 'system' | 'log' | 'subjects'>;

/** Settings that decide how a file is processed. */
export type ProcessSettings = Pick<ServiceSettings, 'limits' | 'maskFiles' | 'saveMask' | 'keepMetadata'>;

/** A file to process. */
export interface FileWork {
  readonly task: Task;
  readonly ports: ProcessPorts;
  readonly settings: ProcessSettings;
  /** Reports progress, and facts of the result. */
  readonly report: (event: TaskEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * The facts of a task's upload. It is read for them, next to the engine's work, where its host has not computed them at
 * its arrival.
 */
export const describeSource = (
  task: Task,
  file: StoredFile,
  system: ProcessPorts['system'],
  signal: AbortSignal,
): Promise<FileFacts> => {
  const facts = task.source ? Promise.resolve(task.source) : factsOfFile(file, system, signal);
  facts.catch(() => undefined); // it is awaited only for a result
  return facts;
};

/** Anonymises a task's image and writes the result. */
export const processImage = async ({ task, ports, settings, report, signal }: FileWork): Promise<void> => {
  const { engine, storage, system, subjects } = ports;
  const { show } = task.options;
  if (show !== undefined) await requireSubject(subjects, show);
  const { header } = task;
  if (!header) throw new Error('An image was queued without its header.');
  const file = await storage.open(sourceKey(task.id, header.format));
  if (!file) throw new Error('The input file of a queued task is gone.');
  const source = byteSourceOf(file);
  const keepMetadata = keepsMetadata(task, settings);
  const format = requireResultFormat({ header, wanted: task.options.resultFormat }, engine);
  const encoding = encodingOf(format, task.options);
  const facts = describeSource(task, file, system, signal);
  const given = await givenOf(task, storage);
  const hidden = await engine.anonymiseImage(
    {
      source,
      header,
      options: task.options,
      encoding,
      masks: settings.maskFiles === 'written' ? savedMasks(settings) : [],
      candidateFloor: CANDIDATE_FLOOR,
      keepMetadata,
      ...(given && { given }),
    },
    (progress) => report({ type: 'progressed', progress }),
    signal,
  );
  const result =
    show === undefined
      ? hidden
      : await (
          await import('../subjects/show-in-image')
        ).showInImage(hidden, { show, source, header, keepMetadata, encoding }, ports, signal);
  signal.throwIfAborted();
  await writeResult({ storage, system }, task.id, result, {
    header,
    facts: await facts,
    masks: savedMasks(settings),
    keepMetadata,
  });
  if (show !== undefined) await requireSubject(subjects, show); // deleted in the meantime
  signal.throwIfAborted();
};
