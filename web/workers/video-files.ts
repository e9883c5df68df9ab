import { transfer, wrap } from 'comlink';
import type { VideoFiles } from '#shared/ports/engine';

/** A video's files as the page offers them to the worker: one flat object of calls. */
export interface OfferedFiles {
  read(start: number, end: number): Promise<Uint8Array>;
  write(position: number, bytes: Uint8Array): Promise<void>;
  report: VideoFiles['report'];
}

/** How the worker is told of a video's files: what is in them stays where the storage is asked. */
export interface FilesTicket {
  readonly sizeBytes: number;
  /** See `ByteSource`. */
  readonly handle: unknown;
  readonly port: MessagePort;
}

/** A copy that moves: muxers go on using their buffers. */
const moved = (bytes: Uint8Array): Uint8Array => {
  const copy = bytes.slice();
  return transfer(copy, [copy.buffer]);
};

/** A video's files, seen from the worker. */
export const filesBehind = ({ sizeBytes, handle, port }: FilesTicket): VideoFiles => {
  const remote = wrap<OfferedFiles>(port);
  return {
    source: { sizeBytes, handle, read: (start, end) => remote.read(start, end) },
    target: { write: (position, bytes) => remote.write(position, moved(bytes)) },
    report: (frames) => remote.report(frames),
  };
};
