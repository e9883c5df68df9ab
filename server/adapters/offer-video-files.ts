import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expose, transfer } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { VideoFiles } from '#shared/ports/engine';
import type { FilesTicket, OfferedFiles } from '../workers/video-files';

/** A video's files, offered to a thread. */
export interface Offer {
  readonly ticket: FilesTicket;
  /** For the message that hands over the ticket. */
  readonly port: MessagePort;
  /** The first error of the disk, as it was thrown: on its way through the thread it loses its class. */
  fault(): unknown;
  close(): void;
}

/** Reading and writing stay on this side, where the storage is; bytes move between the threads, they are not copied. */
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
  expose(offered, nodeEndpoint(port1));
  port1.unref();
  return {
    ticket: { sizeBytes: source.sizeBytes, handle: source.handle, port: port2 },
    port: port2,
    fault: () => fault,
    close: () => port1.close(),
  };
};
