import { RefusedRequest, type ApiClient, type UploadParameters } from '#shared/api/client';
import type { DetectionMetadata, ImageMetadata } from '#shared/api/contract/schemas-results';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { NO_EDITS } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/domain/object-class';
import type { VideoProgress } from '#shared/ports/engine';
import type { ResultEditor } from '#shared/tasks/edits/edit-result';
import type { VideoEditor } from '#shared/tasks/edits/edit-video';
import { createFrameRate } from './frame-rate';
import type { FoundObject, MediaResult, WorkProgress } from './media-item';
import { createResultFiles } from './result-files';
import { editRequestOf, type WantedEdits, type Revisable } from './wanted-edits';
import type { ImageEditor } from './apply-edits';
import type { Settings } from './settings';
import { videoResult } from './video-result';
import { PictureFailed, type Anonymiser } from './work';

/** Poll interval in the page, where a request costs nothing. */
const POLL_MS = 100;

const parameters = ({ method, classes, thresholds, quality, hidesHeads }: Settings): UploadParameters => ({
  method,
  face: classes.includes('face'),
  'license-plate': classes.includes('license-plate'),
  person: classes.includes('person'),
  vehicle: classes.includes('vehicle'),
  'face-threshold': thresholds.face,
  'license-plate-threshold': thresholds['license-plate'],
  'person-threshold': thresholds.person,
  'vehicle-threshold': thresholds.vehicle,
  ...(hidesHeads && { 'head-fallback': true }),
  ...(quality && { 'quality-preset': quality }),
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

const pictureResult = (
  taskId: string,
  metadata: ImageMetadata,
  settings: Settings,
  revisable?: Revisable,
): MediaResult => ({
  taskId,
  width: metadata.size[0],
  height: metadata.size[1],
  objects: metadata.detections.map(foundObject),
  durationS: metadata.duration,
  hasPicture: settings.method !== 'detect',
  ...(revisable && { revisable }),
});

/** First result of an image. */
const firstResult = async (
  client: ApiClient<File>,
  taskId: string,
  settings: Settings,
  resultEditor: ResultEditor | undefined,
): Promise<MediaResult> => {
  const [metadata, search] = await Promise.all([client.metadata(taskId), resultEditor?.search(taskId)]);
  // The API has no methods per class and keeps no metadata: a result that needs them is rendered again.
  const { methods: _notYet, keepsMetadata: _norThese, ...asked } = settings;
  const made = { settings: asked, edits: NO_EDITS };
  return pictureResult(taskId, metadata, settings, search && { ...search, searched: settings.classes, made });
};

const pause = (durationMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, durationMs));

const isVideoTask = ({ content_type }: TaskResponse): boolean => content_type.startsWith('video/');

/** Resolves with the task's record when the task is done. */
const untilDone = async (
  client: ApiClient<File>,
  id: string,
  pollMs: number,
  onProgress: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<TaskResponse> => {
  const measure = createFrameRate();
  for (;;) {
    signal.throwIfAborted();
    const task = await client.task(id);
    const { status, progress, error, frames_done: done = 0, frames_total: total = null } = task;
    const { conversion_progress: converted = null } = task;
    if (status === 'done') return task;
    if (status === 'failed' || status === 'deleted') throw new PictureFailed(error);
    onProgress({
      progress,
      frames: isVideoTask(task) ? measure(done, total, performance.now(), converted) : null,
    });
    await pause(pollMs);
  }
};

/** Functions of the page's host that complement the API. */
interface InPageApi {
  /** Returns a task's anonymised video as a file that is not read yet. */
  readonly openVideo: (taskId: string) => Promise<Blob>;
  /** Edits videos of tasks; without it, videos cannot be edited. */
  readonly videoEditor?: VideoEditor;
  /** Edits results; without it, images cannot be edited. */
  readonly resultEditor?: ResultEditor;
  /** Poll interval for a task's status. */
  readonly pollMs?: number;
}

/** Processes files through the API. */
export const createAnonymiser = (
  client: ApiClient<File>,
  { openVideo, videoEditor, resultEditor, pollMs = POLL_MS }: InPageApi,
): Anonymiser & ImageEditor => {
  const forget = async (taskId: string): Promise<void> => {
    await client.deleteTask(taskId).catch(() => undefined); // a task that no longer exists needs no deletion
  };
  const processTask = async (
    id: string,
    settings: Settings,
    ...rest: [(progress: WorkProgress) => void, AbortSignal]
  ) => {
    try {
      const task = await untilDone(client, id, pollMs, ...rest);
      const hasPicture = settings.method !== 'detect';
      if (isVideoTask(task)) return await videoResult(client, task, hasPicture, videoEditor?.times);
      return await firstResult(client, id, settings, resultEditor);
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
    editVideo: async (result, made, onProgress, signal) => {
      const measure = createFrameRate();
      const onFrames = (all: VideoProgress): void =>
        onProgress({
          progress: all.framesDone / all.framesTotal,
          frames: measure(all.framesDone, all.framesTotal, performance.now(), all.converted),
        });
      const followed = await videoEditor?.applyEdits(result.taskId, made, onFrames, signal);
      if (!followed || !result.video) throw new Error('The video result no longer exists.');
      return { ...result, video: { ...result.video, made, followed } };
    },
    applyEdits: async ({ taskId, revisable }: MediaResult, wanted: WantedEdits) => {
      const isDone = await resultEditor?.applyEdits(taskId, editRequestOf(wanted));
      if (!isDone || !revisable) throw new Error('The result no longer exists.');
      return pictureResult(taskId, await client.metadata(taskId), wanted.settings, {
        ...revisable,
        made: wanted,
      });
    },
    ...createResultFiles(client, openVideo),
  };
};
