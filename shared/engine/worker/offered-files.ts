import type { MediaFiles, RenderFiles, VideoFiles } from '../../ports/engine';
import type { ByteSource, ByteTarget } from '../../ports/video';
import { offering, transferring } from './sent-values';

/** A video's files as a host offers them to a worker. Reading and writing stay with the host, where the storage is. */
export interface OfferedFiles extends ByteSource {
  write(position: number, bytes: Uint8Array): Promise<void>;
  report: VideoFiles['report'];
  plans: RenderFiles['plans'];
}

/** The files of a first run, of a later one, of both, or of a survey. */
type AnyFiles = Pick<MediaFiles, 'source'> & Partial<VideoFiles & RenderFiles>;

const NO_TARGET: ByteTarget = { write: async () => notOffered() };

const notOffered = (): never => {
  throw new Error('this run of a video has no such file');
};

/**
 * Offers a video's files to a call.
 *
 * @throws the first error of the storage, as it was thrown: the call's own error is a consequence of it
 */
export const withOffer = async <T>(
  { source, target = NO_TARGET, report = notOffered, plans = notOffered }: AnyFiles,
  work: (files: OfferedFiles) => Promise<T>,
): Promise<T> => {
  let fault: { readonly error: unknown } | undefined;
  const noted = async <R>(access: Promise<R>): Promise<R> => {
    try {
      return await access;
    } catch (error) {
      fault ??= { error };
      throw error;
    }
  };
  const files = offering<OfferedFiles>({
    sizeBytes: source.sizeBytes,
    handle: source.handle,
    // Not noted: a read that failed is repeated, and the failure of the last one ends the work anyway.
    read: async (start, end) => {
      const bytes = await source.read(start, end);
      return transferring(bytes, [bytes]);
    },
    write: (position, bytes) => noted(target.write(position, bytes)),
    report: (frames, plansOfFrames) => noted(report(frames, plansOfFrames)),
    plans: (part) => noted(plans(part)),
  });
  try {
    return await work(files);
  } catch (error) {
    throw fault ? fault.error : error;
  }
};

/** The same files, as the worker's engine uses them. @param movesMemory see `serveEngine` */
export const filesBehind = (
  { sizeBytes, handle, read, write, report, plans }: OfferedFiles,
  movesMemory: boolean,
): VideoFiles & RenderFiles => ({
  source: { sizeBytes, handle, read },
  target: {
    write: (position, bytes) => {
      const copy = bytes.slice(); // muxers go on using their buffers
      return write(position, movesMemory ? transferring(copy, [copy]) : copy);
    },
  },
  report,
  plans,
});
