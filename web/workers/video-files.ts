import { transfer, wrap } from 'comlink';
import { remoteFiles, type Move, type OfferedFiles } from '#shared/engine/video/offered-files';
import type { RenderFiles, VideoFiles } from '#shared/ports/engine';

/** How the worker is told of a video's files: what is in them stays where the storage is asked. */
export interface FilesTicket {
  readonly sizeBytes: number;
  /** See `ByteSource`. */
  readonly handle: unknown;
  readonly port: MessagePort;
}

export const moved: Move = (bytes) => transfer(bytes, [bytes.buffer as ArrayBuffer]);

/** A video's files, seen from the worker. */
export const filesOf = (ticket: FilesTicket): VideoFiles & RenderFiles =>
  remoteFiles(wrap<OfferedFiles>(ticket.port), ticket, moved);
