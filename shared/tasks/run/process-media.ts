import type { Task } from '../../domain/task';
import { processImage } from './process-image';
import type { ProcessPorts, ProcessSettings, ProgressRecords } from './process-ports';
import { processVideo } from './process-video';

const PROCESS = { image: processImage, video: processVideo } as const satisfies Record<
  Task['kind'],
  typeof processImage
>;

/** Anonymises a task's file and writes the result. Rejects if it fails or is stopped; a part of it may be written then. */
export const processMedia = (
  task: Task,
  ports: ProcessPorts,
  settings: ProcessSettings,
  records: ProgressRecords,
  signal: AbortSignal,
): Promise<void> => PROCESS[task.kind](task, ports, settings, records, signal);
