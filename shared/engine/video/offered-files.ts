import type { MediaFiles, RenderFiles, VideoFiles } from '../../ports/engine';

/** A video's files as a host offers them to the thread that works on them: one flat object of calls. */
export interface OfferedFiles {
  read(start: number, end: number): Promise<Uint8Array>;
  write(position: number, bytes: Uint8Array): Promise<void>;
  report: VideoFiles['report'];
  plans: RenderFiles['plans'];
}

/** The files of a first run, of a later one, or of both. */
type RunFiles = MediaFiles & Partial<VideoFiles & RenderFiles>;

const notOffered = (): never => {
  throw new Error('a video was asked for what this run of it has not');
};

/** Marks bytes as to be moved to the other thread instead of copied. */
export type Move = (bytes: Uint8Array) => Uint8Array;

export interface Offer {
  readonly offered: OfferedFiles;
  /** The first error of the storage, as it was thrown: on its way through the thread it loses its class. */
  fault(): unknown;
}

/** Reading and writing stay on the side that calls this, where the storage is. */
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
      // A reading may be tried again: only the last failure of it counts, and that one ends the work.
      read: async (start, end) => move(await source.read(start, end)),
      write: (position, bytes) => noted(target.write(position, bytes)),
      report: (frames, some) => noted(report(frames, some)),
      plans: (part) => noted(plans(part)),
    },
    fault: () => fault,
  };
};

/** The same files, seen from the thread. */
export const remoteFiles = (
  remote: OfferedFiles,
  { sizeBytes, handle }: Pick<VideoFiles['source'], 'sizeBytes' | 'handle'>,
  move: Move,
): VideoFiles & RenderFiles => ({
  source: { sizeBytes, handle, read: (start, end) => remote.read(start, end) },
  // A copy moves: muxers go on using their buffers.
  target: { write: (position, bytes) => remote.write(position, move(bytes.slice())) },
  report: (frames, plans) => remote.report(frames, plans),
  plans: (part) => remote.plans(part),
});
