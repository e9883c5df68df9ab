import { RefusedRequest } from '#shared/api/client';
import type { ImageMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import { fetchedId, idOfFetched } from './fetched-results';
import type { MediaResult } from './media-item';
import { type ImageEditor, ProcessingFailed, type Anonymiser, type SavedResult } from './work';
import type { DecisionRecorder } from './uncertain/record-decisions';

/** The files of one result. */
export interface FetchedFiles {
  /** Null for the method `detect`. */
  readonly file: Blob | null;
  readonly masks: Awaited<ReturnType<Anonymiser['masks']>>;
  readonly metadata: Blob;
  readonly report: Blob;
}

/** Storage for results that a server produced. */
export interface ResultStore {
  put(id: string, files: FetchedFiles): Promise<void>;
  /** @throws if the files no longer exist */
  get(id: string): Promise<FetchedFiles>;
  /** Replaces the report of a result. @throws if the files no longer exist */
  putReport(id: string, report: Blob): Promise<void>;
  remove(id: string): Promise<void>;
}

const NOT_HERE =
  'A server processed this file, and is not selected any more. Process the file again in this tab to change it.';

/** A server may be configured to store no masks. */
const masksOf = (server: Anonymiser, result: MediaResult): ReturnType<Anonymiser['masks']> =>
  server.masks(result).catch((cause: unknown) => {
    if (cause instanceof RefusedRequest) return [];
    throw cause;
  });

/** Downloads all files of a result. */
const fetchFiles = async (server: Anonymiser, result: MediaResult): Promise<FetchedFiles> => {
  const [file, masks, metadata] = await Promise.all([
    result.hasImage ? server.file(result) : null,
    masksOf(server, result),
    server.metadata(result),
  ]);
  // Last: decisions that are recorded during the download of a video are in it.
  const report = await server.report(result);
  return { file, masks, metadata, report };
};

/** A host that processes files, and edits their results. */
export type ResultEditor = Anonymiser & ImageEditor & DecisionRecorder;

/** The selected server. */
export interface ChosenServer {
  readonly anonymiser: ResultEditor;
  /** Aborts when the server is deselected. */
  readonly signal: AbortSignal;
}

/** Stores the files of a result on a server here. */
const downloadResult = async (
  server: Anonymiser,
  result: MediaResult,
  resultStore: ResultStore,
): Promise<MediaResult> => {
  const { taskId } = result;
  await resultStore.put(taskId, await fetchFiles(server, result));
  return { ...result, taskId: idOfFetched(taskId) };
};

/** Processes a file on the selected server, or in the tab if none is selected or it is deselected meanwhile. */
const processWhere = async (
  tab: Anonymiser,
  chosen: ChosenServer | undefined,
  resultStore: ResultStore,
  ...args: Parameters<Anonymiser['process']>
): Promise<MediaResult> => {
  if (!chosen) return tab.process(...args);
  try {
    return await processOn(chosen, resultStore, ...args);
  } catch (cause) {
    const [, , , signal] = args;
    if (chosen.signal.aborted && !signal.aborted) return tab.process(...args);
    // The error of `fetch` if no server answers.
    throw cause instanceof TypeError ? new ProcessingFailed('The server cannot be reached.') : cause;
  }
};

/** Processes a file on a server, which deletes the result when it is deselected. */
const processOn = async (
  { anonymiser, signal: selected }: ChosenServer,
  resultStore: ResultStore,
  ...[file, settings, onProgress, signal]: Parameters<Anonymiser['process']>
): Promise<MediaResult> => {
  const either = AbortSignal.any([signal, selected]);
  const result = await anonymiser.process(file, settings, onProgress, either);
  // A reviewer may still have to release it.
  const forget = (): void => {
    if (!result.waitsForRelease) void anonymiser.forget(result.taskId);
  };
  try {
    const local = await downloadResult(anonymiser, result, resultStore);
    if (selected.aborted) forget();
    else selected.addEventListener('abort', forget, { once: true });
    return local;
  } catch (cause) {
    forget();
    throw cause;
  }
};

/** Calls the host of a result, which is not downloaded for it. @throws ProcessingFailed if no server is selected */
const whereItIs = async <Value>(
  tab: Anonymiser,
  chosen: ChosenServer | undefined,
  result: SavedResult,
  call: (host: Anonymiser, own: SavedResult) => Promise<Value>,
): Promise<Value> => {
  const taskId = fetchedId(result.taskId);
  if (taskId === undefined) return call(tab, result);
  if (!chosen) throw new ProcessingFailed(NOT_HERE);
  return call(chosen.anonymiser, { ...result, taskId });
};

/** Records decisions on a server, and downloads the report again. @throws ProcessingFailed if no server is selected */
const recordOn = async (
  chosen: ChosenServer | undefined,
  resultStore: ResultStore,
  ...[result, decisions]: Parameters<DecisionRecorder['recordDecisions']>
): Promise<void> => {
  if (!chosen) throw new ProcessingFailed(NOT_HERE);
  await chosen.anonymiser.recordDecisions(result, decisions);
  await resultStore.putReport(result.taskId, await chosen.anonymiser.report(result));
};

/**
 * Processes files on a server while one is selected, and downloads its results, so that they stay available afterwards.
 *
 * The server keeps a result only to edit it: until the file is removed from the list, or the server is deselected.
 *
 * @param server undefined while files stay in this tab
 */
export const createRoutedAnonymiser = (
  tab: ResultEditor,
  server: () => ChosenServer | undefined,
  resultStore: ResultStore,
): ResultEditor => {
  const fetched = async ({ taskId }: { readonly taskId: string }): Promise<FetchedFiles | undefined> => {
    const id = fetchedId(taskId);
    return id === undefined ? undefined : resultStore.get(id);
  };
  /** Edits a result where it is. */
  const edited = async (
    result: MediaResult,
    edit: (host: ResultEditor, own: MediaResult) => Promise<MediaResult>,
  ): Promise<MediaResult> => {
    const taskId = fetchedId(result.taskId);
    if (taskId === undefined) return edit(tab, result);
    const anonymiser = server()?.anonymiser;
    if (!anonymiser) throw new ProcessingFailed(NOT_HERE);
    return downloadResult(anonymiser, await edit(anonymiser, { ...result, taskId }), resultStore);
  };
  return {
    process: (...args) => processWhere(tab, server(), resultStore, ...args),
    editVideo: (result, ...rest) => edited(result, (host, own) => host.editVideo(own, ...rest)),
    recordDecisions: async (result, decisions) => {
      const taskId = fetchedId(result.taskId);
      if (taskId === undefined) return tab.recordDecisions(result, decisions);
      return recordOn(server(), resultStore, { ...result, taskId }, decisions);
    },
    applyEdits: (result, wanted) => edited(result, (host, own) => host.applyEdits(own, wanted)),
    file: async (result) => {
      const files = await fetched(result);
      if (!files) return tab.file(result);
      if (!files.file) throw new Error('A result of the method “detect” has no image.');
      return files.file;
    },
    masks: async (result) => (await fetched(result))?.masks ?? tab.masks(result),
    report: async (result) => (await fetched(result))?.report ?? tab.report(result),
    log: (result) => whereItIs(tab, server(), result, (host, own) => host.log(own)),
    release: (result) => whereItIs(tab, server(), result, (host, own) => host.release(own)),
    detections: async (result) => {
      const files = await fetched(result);
      if (!files) return tab.detections(result);
      return JSON.parse(await files.metadata.text()) as ImageMetadata | VideoMetadata;
    },
    metadata: async (result) => (await fetched(result))?.metadata ?? tab.metadata(result),
    forget: async (taskId) => {
      const id = fetchedId(taskId);
      if (id === undefined) return tab.forget(taskId);
      await resultStore.remove(id);
      await server()?.anonymiser.forget(id);
    },
  };
};
