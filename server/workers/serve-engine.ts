import type { MessagePort } from 'node:worker_threads';
import { UnreadableFile } from '#shared/domain/unreadable-file';
import type {
  Engine,
  ImageJob,
  ImageResult,
  VideoJob,
  VideoProgress,
  VideoResult,
} from '#shared/ports/engine';
import { filesOf, type FilesTicket } from './video-files';

/** What comes back from a worker: errors lose their class on the way, so what a user may read travels as data. */
export type Outcome<T> = { readonly value: T } | { readonly unreadable: string };

/** The engine's methods as a pool calls them: one plain argument each; progress goes out by a port. */
export interface EngineTasks {
  load(task: {
    classes: Parameters<Engine['load']>[0];
    progress: MessagePort;
  }): Promise<Outcome<{ readonly backend: string }>>;
  anonymiseImage(task: { job: ImageJob; progress: MessagePort }): Promise<Outcome<ImageResult>>;
  anonymiseVideo(task: {
    job: VideoJob;
    files: FilesTicket;
    progress: MessagePort;
  }): Promise<Outcome<VideoResult>>;
  renderImage(task: { args: Parameters<Engine['renderImage']> }): Promise<Outcome<Uint8Array>>;
  renderMask(task: { args: Parameters<Engine['renderMask']> }): Promise<Outcome<Uint8Array>>;
}

/** What a pool sends to a task's progress port to have it stopped. */
export const ABORT = 'abort';

/** Aborted by the pool's message; pictures take many steps, and messages come in between them. */
const abortedBy = (port: MessagePort): AbortSignal => {
  const abort = new AbortController();
  port.on('message', (message) => {
    if (message === ABORT) abort.abort();
  });
  return abort.signal;
};

const outcomeOf = async <T>(work: Promise<T>): Promise<Outcome<T>> => {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.publicSentence };
    throw error;
  }
};

const report =
  (port: MessagePort) =>
  (progress: number | VideoProgress): void =>
    port.postMessage(progress);

/**
 * Answers a pool's tasks with an engine.
 *
 * @param open called when the first task comes, and again where it failed
 * @param settle awaited at each task's end, also where it is given up: the thread may be ended then
 */
export const serveEngine = (
  open: () => Promise<Engine>,
  settle: () => Promise<void> = async () => undefined,
): EngineTasks => {
  let opening: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const call = async <T>(work: (engine: Engine) => Promise<T>): Promise<Outcome<T>> => {
    try {
      return await outcomeOf(work(await engine()));
    } finally {
      await settle();
    }
  };
  return {
    load: ({ classes, progress }) => call((opened) => opened.load(classes, report(progress))),
    anonymiseImage: ({ job, progress }) =>
      call((opened) => opened.anonymiseImage(job, report(progress), abortedBy(progress))),
    anonymiseVideo: ({ job, files, progress }) =>
      call((opened) => {
        if (!opened.anonymiseVideo) throw new Error('a video was sent to an engine that reads none');
        return opened.anonymiseVideo(job, filesOf(files), report(progress), abortedBy(progress));
      }),
    renderImage: ({ args }) => call((opened) => opened.renderImage(...args)),
    renderMask: ({ args }) => call((opened) => opened.renderMask(...args)),
  };
};
