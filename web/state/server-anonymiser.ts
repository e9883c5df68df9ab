import { RefusedRequest } from '#shared/api/client';
import type { MediaResult } from './media-item';
import type { ImageEditor } from './apply-edits';
import { PictureFailed, type Anonymiser } from './work';

/** The files of one result. */
export interface FetchedFiles {
  /** Null for the method `detect`. */
  readonly file: Blob | null;
  readonly masks: Awaited<ReturnType<Anonymiser['masks']>>;
  readonly metadata: Blob;
}

/** Storage for results that a server produced. */
export interface ResultStore {
  put(id: string, files: FetchedFiles): Promise<void>;
  /** @throws if the files no longer exist */
  get(id: string): Promise<FetchedFiles>;
  remove(id: string): Promise<void>;
}

/** Prefix of the ids of results from a server; no task of this page has it. */
const FETCHED_PREFIX = 'brought:';
/** @returns undefined for results of this page */
export const fetchedId = (taskId: string): string | undefined =>
  taskId.startsWith(FETCHED_PREFIX) ? taskId.slice(FETCHED_PREFIX.length) : undefined;

const NOT_HERE = 'A server processed this file. Process it again in this tab to change it.';

/** A server may be configured to store no masks. */
const masksOf = (server: Anonymiser, result: MediaResult): ReturnType<Anonymiser['masks']> =>
  server.masks(result).catch((cause: unknown) => {
    if (cause instanceof RefusedRequest) return [];
    throw cause;
  });

/** Downloads all files of a result. The server keeps none of them afterwards. */
const bringHome = async (
  server: Anonymiser,
  resultStore: ResultStore,
  result: MediaResult,
): Promise<MediaResult> => {
  const { taskId, hasPicture } = result;
  try {
    const [file, masks, metadata] = await Promise.all([
      hasPicture ? server.file(result) : null,
      masksOf(server, result),
      server.metadata(result),
    ]);
    await resultStore.put(taskId, { file, masks, metadata });
  } finally {
    await server.forget(taskId);
  }
  // Frame times are known only to the reader of the video.
  const objects = result.objects.map(({ seen: _, ...object }) => object);
  return { ...result, objects, taskId: FETCHED_PREFIX + taskId };
};

/** The selected server. */
export interface ChosenServer {
  readonly anonymiser: Anonymiser;
  /** Aborts when the server is deselected. */
  readonly signal: AbortSignal;
}

/**
 * Processes files on a server while one is selected, and downloads its results, so that they stay available afterwards.
 *
 * @param server undefined while files stay in this tab
 */
export const createChoosingAnonymiser = (
  tab: Anonymiser & ImageEditor,
  server: () => ChosenServer | undefined,
  resultStore: ResultStore,
): Anonymiser & ImageEditor => {
  const fetched = async ({ taskId }: { readonly taskId: string }): Promise<FetchedFiles | undefined> => {
    const id = fetchedId(taskId);
    return id === undefined ? undefined : resultStore.get(id);
  };
  return {
    process: async (file, settings, onProgress, signal) => {
      const chosen = server();
      if (!chosen) return tab.process(file, settings, onProgress, signal);
      const { anonymiser } = chosen;
      const either = AbortSignal.any([signal, chosen.signal]);
      try {
        return await bringHome(
          anonymiser,
          resultStore,
          await anonymiser.process(file, settings, onProgress, either),
        );
      } catch (cause) {
        const isNoLongerChosen = chosen.signal.aborted && !signal.aborted;
        if (isNoLongerChosen) return tab.process(file, settings, onProgress, signal);
        // The error of `fetch` if no server answers.
        throw cause instanceof TypeError ? new PictureFailed('The server cannot be reached.') : cause;
      }
    },
    editVideo: async (result, ...rest) => {
      if (fetchedId(result.taskId) !== undefined) throw new PictureFailed(NOT_HERE);
      return tab.editVideo(result, ...rest);
    },
    applyEdits: (result, wanted) => tab.applyEdits(result, wanted),
    file: async (result) => {
      const files = await fetched(result);
      if (!files) return tab.file(result);
      if (!files.file) throw new Error('A result of the method “detect” has no image.');
      return files.file;
    },
    masks: async (result) => (await fetched(result))?.masks ?? tab.masks(result),
    metadata: async (result) => (await fetched(result))?.metadata ?? tab.metadata(result),
    forget: async (taskId) => {
      const id = fetchedId(taskId);
      await (id === undefined ? tab.forget(taskId) : resultStore.remove(id));
    },
  };
};
