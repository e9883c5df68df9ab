import { RefusedRequest, type ApiClient, type UploadParameters } from '#shared/api/client';
import type { DetectionMetadata, ImageMetadata } from '#shared/api/schemas-results';
import type { ObjectClass } from '#shared/pipeline/object-class';
import type { FoundObject, PictureResult } from './pictures';
import type { Settings } from './settings';
import { PictureFailed, type Anonymiser } from './work';

const POLL_MS = 100;

const parameters = ({ method, classes, thresholds }: Settings): UploadParameters => ({
  method,
  face: classes.includes('face'),
  'license-plate': classes.includes('license-plate'),
  person: classes.includes('person'),
  vehicle: classes.includes('vehicle'),
  'face-threshold': thresholds.face,
  'license-plate-threshold': thresholds['license-plate'],
  'person-threshold': thresholds.person,
  'vehicle-threshold': thresholds.vehicle,
});

const foundObject = ({ id, type_label, score, bbox: [x1, y1, x2, y2] }: DetectionMetadata): FoundObject => ({
  id,
  objectClass: type_label as ObjectClass,
  score,
  x: x1,
  y: y1,
  width: x2 - x1,
  height: y2 - y1,
});

const pictureResult = (taskId: string, metadata: ImageMetadata, settings: Settings): PictureResult => ({
  taskId,
  width: metadata.size[0],
  height: metadata.size[1],
  objects: metadata.detections.map(foundObject),
  durationS: metadata.duration,
  hasPicture: settings.method !== 'detect',
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Resolves when the task is done. */
const untilDone = async (
  client: ApiClient<File>,
  id: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const { status, progress, error } = await client.task(id);
    if (status === 'done') return;
    if (status === 'failed' || status === 'deleted') throw new PictureFailed(error);
    onProgress(progress);
    await pause();
  }
};

/** The screens' view of the API. */
export const createAnonymiser = (client: ApiClient<File>): Anonymiser => {
  const forget = async (taskId: string): Promise<void> => {
    await client.deleteTask(taskId).catch(() => undefined); // gone already is as good
  };
  const processTask = async (
    id: string,
    settings: Settings,
    ...rest: [(share: number) => void, AbortSignal]
  ) => {
    try {
      await untilDone(client, id, ...rest);
      return pictureResult(id, await client.metadata(id), settings);
    } catch (cause) {
      await forget(id);
      throw cause;
    }
  };
  return {
    forget,
    process: async (file, settings, onProgress, signal) => {
      try {
        const { id } = await client.upload(file, parameters(settings), { isAsync: true, signal });
        return await processTask(id, settings, onProgress, signal);
      } catch (cause) {
        throw cause instanceof RefusedRequest ? new PictureFailed(cause.message) : cause;
      }
    },
    picture: async (taskId) => {
      const { bytes, contentType } = await client.anonymised(taskId);
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: contentType });
    },
  };
};
