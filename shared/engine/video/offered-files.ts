import type { MediaFiles, RenderFiles, VideoFiles } from '../../ports/engine';

/** Calls by which a worker thread reads and writes a video's files on the thread that has the storage. */
export interface OfferedFiles {
  read(start: number, end: number): Promise<Uint8Array>;
  write(position: number, bytes: Uint8Array): Promise<void>;
  report: VideoFiles['report'];
  plans: RenderFiles['plans'];
}

/** The files of a first run (reports) or of a run after edits (plans). */
type RunFiles = MediaFiles & Partial<VideoFiles & RenderFiles>;

const notOffered = (): never => {
  throw new Error('this run of a video has no such file');
};

/** Marks bytes to be transferred to the other thread instead of copied. */
export type Move = (bytes: Uint8Array) => Uint8Array;

export interface Offer {
  readonly offered: OfferedFiles;
  /** The first error of the storage as it was thrown; the copy that passes through the thread has lost its class. */
  fault(): unknown;
}

/** Makes files available to a worker thread; reading and writing happen on the calling thread. */
export const offerFiles = (
  { source, target, report = notOffered, plans = notOffered }: RunFiles,
  move: Move,
): Offer => {
  let fault: unknown;
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      fault ??= error;
      throw error;
    }
  };
  return {
    offered: {
      // A failed read is not recorded, because it may be retried; the last failure reaches the caller by itself.
      read: async (start, end) => move(await source.read(start, end)),
      write: (position, bytes) => noted(target.write(position, bytes)),
      report: (frames, some) => noted(report(frames, some)),
      plans: (part) => noted(plans(part)),
    },
    fault: () => fault,
  };
};

/** The same files on the worker thread. */
export const remoteFiles = (
  remote: OfferedFiles,
  { sizeBytes, handle }: Pick<VideoFiles['source'], 'sizeBytes' | 'handle'>,
  move: Move,
): VideoFiles & RenderFiles => ({
  source: { sizeBytes, handle, read: (start, end) => remote.read(start, end) },
  // A copy is transferred, because muxers use their buffers again.
  target: { write: (position, bytes) => remote.write(position, move(bytes.slice())) },
  report: (frames, plans) => remote.report(frames, plans),
  plans: (part) => remote.plans(part),
});
