import { hides } from '#shared/catalogue/methods';
import { RefusedRequest, type ApiClient, type UploadParameters } from '#shared/api/client';
import type { Candidate } from '#shared/api/contract/schemas-edits';
import type { ImageMetadata } from '#shared/api/contract/schemas-results';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { toBox } from '#shared/domain/boxes';
import type { Edits, NumberedDetection } from '#shared/domain/edits/edits';
import { NO_SUBJECT } from '#shared/domain/subject';
import type { ObjectClass } from '#shared/catalogue/classes';
import { NO_ITEM_EDITS } from './edit-history';
import { imageRequest, videoRequest } from './requested-edits';
import { createFrameRate, type FrameRate } from './frame-rate';
import { detectionsOf } from './add-files';
import { afterChange, type MediaResult, type WorkProgress } from './media-item';
import { createResultFiles, foundObject, isObject, statedProjection } from './result-files';
import type { EditableResult } from './wanted-edits';
import { type ImageEditor, ProcessingFailed, type Anonymiser } from './work';
import { statedEdits, type Settings } from './settings';
import { uploadParameters } from './upload-parameters';
import type { DecisionRecorder } from './uncertain/record-decisions';
import { withKept, withShown, type VideoEdits } from './video-edits';

/** Loaded with the first video, because the first load must stay small. */
const loadVideoCode = () => import('./video-result');

const loadRelease = () => import('./release');

/** What a new result of a video shows of the settings that edits can change. */
const madeBy = (settings: Settings): VideoEdits => {
  const shown = { ...withShown(NO_ITEM_EDITS, settings), ...statedEdits(settings) };
  return settings.keepMetadata ? withKept(shown, settings) : shown;
};

const imageResult = (
  { taskId, ...stated }: Pick<MediaResult, 'taskId' | 'projection'>,
  metadata: ImageMetadata,
  settings: Settings,
  editable?: EditableResult,
): MediaResult => ({
  taskId,
  ...statedProjection(stated),
  width: metadata.size[0],
  height: metadata.size[1],
  objects: metadata.detections.filter(isObject).map((detection) => foundObject(detection)),
  durationS: metadata.duration,
  hasImage: hides(settings.method),
  ...(editable && { editable }),
});

const numberedDetection = ({ id, type_label, score, bbox }: Candidate): NumberedDetection => ({
  id,
  detection: { objectClass: type_label as ObjectClass, score, box: toBox(bbox) },
});

/** Undefined if the token lacks the scope for candidates: results cannot be edited then. */
const editableOf = async (
  client: ApiClient<File>,
  taskId: string,
  settings: Settings,
): Promise<EditableResult | undefined> => {
  try {
    const { candidates, classes, spared_memory: sparedMemory } = await client.candidates(taskId);
    return {
      found: candidates.map(numberedDetection),
      searched: classes,
      sparedMemory,
      appliedEdits: { settings, edits: NO_ITEM_EDITS },
    };
  } catch (cause) {
    if (cause instanceof RefusedRequest) return undefined;
    throw cause;
  }
};

/** First result of an image. */
export const firstResult = async (
  client: ApiClient<File>,
  task: Pick<TaskResponse, 'id' | 'projection'>,
  settings: Settings,
): Promise<MediaResult> => {
  const { id: taskId } = task;
  const [metadata, editable] = await Promise.all([
    client.metadata(taskId),
    editableOf(client, taskId, settings),
  ]);
  return imageResult({ taskId, ...statedProjection(task) }, metadata, settings, editable);
};

const isVideoTask = ({ content_type }: TaskResponse): boolean => content_type.startsWith('video/');

const workProgress = (task: TaskResponse, measure: FrameRate): WorkProgress => {
  const { progress, frames_done: done = 0, frames_total: total = null } = task;
  const { conversion_progress: converted = null } = task;
  return {
    progress,
    frames: isVideoTask(task) ? measure(done, total, performance.now(), converted) : null,
  };
};

/** Resolves with the task's record when the task is done. */
const untilDone = async (
  client: ApiClient<File>,
  id: string,
  onProgress: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<TaskResponse> => {
  const measure = createFrameRate();
  for await (const task of client.watch(id, signal)) {
    const { status, error } = task;
    if (status === 'done') return task;
    if (status === 'failed' || status === 'deleted') throw new ProcessingFailed(error);
    onProgress(workProgress(task, measure));
  }
  signal.throwIfAborted();
  throw new ProcessingFailed(null);
};

/** Reads the result of a task that is done. */
const resultOf = async (
  client: ApiClient<File>,
  task: TaskResponse,
  settings: Settings,
): Promise<MediaResult> => {
  const gate = task.released_at !== undefined && { waitsForRelease: task.released_at === null };
  if (!isVideoTask(task)) return { ...(await firstResult(client, task, settings)), ...gate };
  const { videoResult } = await loadVideoCode();
  return { ...(await videoResult(client, task, hides(settings.method), madeBy(settings))), ...gate };
};

/** Resolves when the accepted edits of a task are applied. @throws ProcessingFailed */
const untilApplied = async (
  client: ApiClient<File>,
  id: string,
  onProgress: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { status, edit } of client.watch(id, signal)) {
    if (status !== 'done') break;
    if (!edit) return;
    if (edit.status === 'failed') throw new ProcessingFailed(edit.error);
    onProgress({ progress: edit.progress, frames: null });
  }
  signal.throwIfAborted();
  throw new Error('The video result no longer exists.');
};

/**
 * Stops accepted edits of a task on its host.
 *
 * @throws `cause`, unless it is too late: the edits are applied
 */
const stopEdits = async (client: ApiClient<File>, id: string, cause: unknown): Promise<void> => {
  const wereApplied = async (): Promise<boolean> => {
    const { stopped } = await client.stopEdits(id);
    return !stopped && (await client.task(id)).edit === undefined;
  };
  // A task that was deleted, as its file was removed, has no edits.
  if (!(await wereApplied().catch(() => false))) throw cause;
};

interface Access {
  /** The person whom edits name; null or empty for nobody. */
  readonly reviewer?: () => string | null;
  /** Returns the id on this host of the person who stays visible; `NO_SUBJECT` if the person is not known any more. */
  readonly subjectId?: (show: string) => Promise<string>;
}

const shownByUpload = ({ show }: Pick<Edits, 'show'>): Pick<UploadParameters, 'show'> =>
  show === undefined || show === NO_SUBJECT ? {} : { show };

/** Names of persons in requests. */
const createNames = ({ reviewer = () => null, subjectId = async (show) => show }: Access) => {
  const shownBy = async ({ show }: Pick<Edits, 'show'>): Promise<Pick<Edits, 'show'>> => {
    if (show === undefined) return {};
    return { show: show === NO_SUBJECT ? show : await subjectId(show) };
  };
  /** A request with the reviewer. */
  const signed = <Body extends object>(body: Body): Body & Pick<Edits, 'reviewer'> => {
    const name = reviewer();
    return { ...body, ...(name && { reviewer: name }) };
  };
  return {
    signed,
    /** The person who stays visible, by the id on the host. */
    shownBy,
    /** Edits with the reviewer, and with the person who stays visible. */
    named: async (edits: Edits): Promise<Edits> => ({ ...signed(edits), ...(await shownBy(edits)) }),
  };
};

/** Records decisions through the API. @param signed adds the reviewer to a request */
const createDecisionRecorder = (
  client: ApiClient<File>,
  signed: ReturnType<typeof createNames>['signed'],
): DecisionRecorder => ({
  recordDecisions: async ({ taskId }, decisions) => {
    await client.putDecisions(taskId, signed({ decisions: [...decisions] }));
  },
});

const withTag = (tag: string | undefined): Pick<MediaResult, 'seenTag'> =>
  tag === undefined ? {} : { seenTag: tag };

/** The edits of a result that must be released, before it is read again. */
const seenNow = async (
  client: ApiClient<File>,
  { taskId, waitsForRelease }: MediaResult,
): Promise<Pick<MediaResult, 'seenTag'>> =>
  waitsForRelease === undefined ? {} : withTag(await client.editsTag(taskId));

/** Edits images through the API. @param named adds the reviewer and the person who stays visible to edits */
const createApplyEdits =
  (client: ApiClient<File>, named: ReturnType<typeof createNames>['named']): ImageEditor['applyEdits'] =>
  async (result, wanted) => {
    const { taskId, editable } = result;
    if (!editable) throw new Error('The result cannot be edited.');
    await client.putEdits(taskId, await named(imageRequest(wanted)));
    const seen = await seenNow(client, result);
    const metadata = await client.metadata(taskId);
    const edited = imageResult(result, metadata, wanted.settings, { ...editable, appliedEdits: wanted });
    const { waitsForRelease } = result;
    return waitsForRelease === undefined ? edited : { ...edited, ...seen, waitsForRelease: true };
  };

const createForget =
  (client: ApiClient<File>): Anonymiser['forget'] =>
  async (taskId) => {
    await client.deleteTask(taskId).catch(() => undefined); // a task that no longer exists needs no deletion
  };

/** The detections that came with a file. @throws ProcessingFailed if they are lost */
const givenDetections = (file: File): File | undefined => {
  const given = detectionsOf(file);
  if (given !== 'lost') return given;
  throw new ProcessingFailed(
    'The detections that came with this file are not stored: remove it, and add both again.',
  );
};

/** The sentence of a refused request is the reason for the user. */
const throwReason = (cause: unknown): never => {
  throw cause instanceof RefusedRequest ? new ProcessingFailed(cause.message) : cause;
};

/** Edits videos through the API. See {@link createApplyEdits}. */
const createEditVideo =
  (client: ApiClient<File>, named: ReturnType<typeof createNames>['named']): Anonymiser['editVideo'] =>
  async (result, appliedEdits, onProgress, signal) => {
    const { taskId, video } = result;
    if (!video) throw new Error('a video edit was asked of an image');
    const { shownSpans } = await loadVideoCode();
    signal.throwIfAborted();
    // Without the signal: a host could otherwise accept them after it was asked to stop them.
    const request = await named(videoRequest(appliedEdits));
    await client.putEdits(taskId, request, { isAsync: true }).catch(throwReason);
    await untilApplied(client, taskId, onProgress, signal).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
      return stopEdits(client, taskId, cause);
    });
    const seen = await seenNow(client, result);
    const { followed = [] } = await client.edits(taskId);
    const { shown: _before, ...facts } = video;
    const shown = await shownSpans(client, taskId, facts.frameCount, appliedEdits);
    return afterChange({ ...result, ...seen, video: { ...facts, appliedEdits, followed, ...shown } });
  };

/** Processes files through the API, and edits their results. */
export const createAnonymiser = (
  client: ApiClient<File>,
  access: Access,
): Anonymiser & ImageEditor & DecisionRecorder => {
  const { shownBy, named, signed } = createNames(access);
  const forget = createForget(client);
  type Watching = [(progress: WorkProgress) => void, AbortSignal];
  const processTask = async (id: string, settings: Settings, ...watching: Watching) => {
    let waits = false;
    try {
      const task = await untilDone(client, id, ...watching);
      waits = task.released_at === null;
      if (!waits) return await resultOf(client, task, settings);
      const { record, tag } = await (await loadRelease()).untilReadable(client, task, ...watching);
      return { ...(await resultOf(client, record, settings)), ...withTag(tag) };
    } catch (cause) {
      // A reviewer may still have to release it.
      if (!waits) await forget(id);
      throw cause;
    }
  };
  return {
    ...createResultFiles(client),
    forget,
    process: async (file, settings, onProgress, signal) => {
      try {
        const wanted = { ...uploadParameters(settings, file), ...shownByUpload(await shownBy(settings)) };
        const { id } = await client.upload(file, wanted, {
          isAsync: true,
          signal,
          detections: givenDetections(file),
        });
        return await processTask(id, settings, onProgress, signal);
      } catch (cause) {
        return throwReason(cause);
      }
    },
    editVideo: createEditVideo(client, named),
    applyEdits: createApplyEdits(client, named),
    ...createDecisionRecorder(client, signed),
    release: async ({ taskId, seenTag }) => {
      await client.release(taskId, signed({}), seenTag ?? (await client.editsTag(taskId)));
    },
  };
};
