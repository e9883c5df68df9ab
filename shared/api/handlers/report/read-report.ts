import type { ImageEncoding } from '../../../ports/engine';
import type { Task } from '../../../domain/task';
import { factsOfBytes } from '../../../tasks/base/content-tag';
import { FORMATS } from '../../../catalogue/formats';
import { isStoredEncoding } from '../../../tasks/files/results';
import type { StoredResult } from '../../../tasks/files/task-files';
import { FRAMES_PER_FILE, type StoredVideoResult } from '../../../tasks/files/video-files';
import type { ReportQuery } from '../../contract/schemas-report';
import { orExplain, requireDone } from '../find-task';
import { wantedEncoding } from '../result-handlers';
import type { ApiService } from '../service';
import type { ReportedTask } from './reported-task';
import { createDetectionCounter } from './count-detections';

/** What a report is read with. */
export interface ReportReading {
  readonly task: Task;
  readonly query: ReportQuery;
  readonly service: ApiService;
  readonly signal: AbortSignal;
}

const commonFacts = async (
  { task, service: { tasks } }: ReportReading,
  { revision = 0, appliedEdits = [], filePrefix, provenance }: StoredResult | StoredVideoResult,
) => ({
  task,
  provenance,
  revision,
  appliedEdits,
  editsInForce: await tasks.edits.applied(task.id, filePrefix),
});

/** The facts of the wanted download. Undefined where the result was replaced meanwhile. */
const imageFile = async (
  { task, query, service, signal }: ReportReading,
  result: StoredResult,
): Promise<ReportedTask['file'] | 'replaced'> => {
  if (!result.file) return undefined;
  const encoding: ImageEncoding = wantedEncoding(query, result.format);
  const { mediaType: contentType } = FORMATS[encoding.format];
  if (isStoredEncoding(encoding, result.format)) return { contentType, facts: result.file };
  const file = await service.tasks.anonymised(task.id, result, encoding, signal);
  if (!(file instanceof Uint8Array)) return 'replaced';
  return { contentType, facts: await factsOfBytes(file, service.system), variant: encoding };
};

const readImage = async (reading: ReportReading, result: StoredResult): Promise<ReportedTask | undefined> => {
  const { task, service } = reading;
  const file = await imageFile(reading, result);
  if (file === 'replaced') return undefined;
  const counter = createDetectionCounter(task.options.classes);
  counter.add(result.report.detections);
  return {
    ...(await commonFacts(reading, result)),
    file,
    frameCount: 1,
    audioTracks: undefined,
    counted: counter.end(),
    keepMetadata: result.keepMetadata ?? task.options.keepMetadata ?? service.settings.keepMetadata ?? false,
    sparedMemory: result.sparedMemory ?? false,
  };
};

const readVideo = async (
  reading: ReportReading,
  result: StoredVideoResult,
): Promise<ReportedTask | undefined> => {
  const { task, service, signal } = reading;
  const { frameCount, audioTracks } = result.report;
  const counter = createDetectionCounter(task.options.classes);
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    signal.throwIfAborted();
    const last = Math.min(first + FRAMES_PER_FILE, frameCount) - 1;
    const frames = await service.tasks.frames(task.id, first, last);
    if (!frames) return undefined;
    for (const { detections } of frames) counter.add(detections);
  }
  return {
    ...(await commonFacts(reading, result)),
    file: result.file && { contentType: 'video/mp4', facts: result.file },
    frameCount,
    audioTracks,
    counted: counter.end(),
    keepMetadata: false,
    sparedMemory: false,
  };
};

/**
 * Reads what the report of a done task states. Edits may replace the result in between: then all is read again.
 *
 * @throws ApiError 404, 422
 */
export const readReportedTask = async (reading: ReportReading): Promise<ReportedTask> => {
  const { task, service } = reading;
  const { tasks } = service;
  requireDone(task);
  const resultNow = () => (task.kind === 'video' ? tasks.videoResult(task.id) : tasks.result(task.id));
  const result = await orExplain(await resultNow(), service, task.id);
  const reported = 'masks' in result ? await readImage(reading, result) : await readVideo(reading, result);
  const after = await orExplain(await resultNow(), service, task.id);
  if (after.filePrefix !== result.filePrefix) return readReportedTask(reading);
  return orExplain(reported, service, task.id);
};
