import { expose, transfer } from 'comlink';
import type { VideoFiles } from '#shared/ports/engine';
import type { FilesTicket, OfferedFiles } from '../workers/video-files';

/** A video's files, offered to the engine's worker. */
export interface Offer {
  /** Its port has to be handed over with it. */
  readonly ticket: FilesTicket;
  /** The first error of the storage, as it was thrown: on its way through the worker it loses its class. */
  fault(): unknown;
  close(): void;
}

/** Reading and writing stay on this side, where the storage is; bytes move to the worker and back, they are not copied. */
export const offerVideoFiles = ({ source, target, report }: VideoFiles): Offer => {
  const { port1, port2 } = new MessageChannel();
  let fault: unknown;
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      fault ??= error;
      throw error;
    }
  };
  const offered: OfferedFiles = {
    // A reading may be tried again: only the last failure of it counts, and that one ends the work.
    read: async (start, end) => {
      const bytes = (await source.read(start, end)) as Uint8Array<ArrayBuffer>;
      return transfer(bytes, [bytes.buffer]);
    },
    write: (position, bytes) => noted(target.write(position, bytes)),
    report: (frames) => noted(report(frames)),
  };
  expose(offered, port1);
  return {
    ticket: { sizeBytes: source.sizeBytes, handle: source.handle, port: port2 },
    fault: () => fault,
    close: () => port1.close(),
  };
};
