import type { MessagePort } from 'node:worker_threads';
import { transfer, wrap } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { remoteFiles, type Move, type OfferedFiles } from '#shared/engine/video/offered-files';
import type { VideoFiles } from '#shared/ports/engine';

/** How a thread accesses the files of a video: their bytes are read on the main thread. */
export interface FilesTicket {
  readonly sizeBytes: number;
  /** See `ByteSource`. */
  readonly handle: unknown;
  readonly port: MessagePort;
}

export const moved: Move = (bytes) => transfer(bytes, [bytes.buffer as ArrayBuffer]);

/** Copied by the message: a thread that hands over memory for good is slower ever after (see `createInferenceLanes`). */
const copied: Move = (bytes) => bytes;

/** A video's files, seen from a thread. */
export const filesOf = (ticket: FilesTicket): VideoFiles =>
  remoteFiles(wrap<OfferedFiles>(nodeEndpoint(ticket.port)), ticket, copied);
