import { expose } from 'comlink';
import { offerFiles, type Offer } from '#shared/engine/video/offered-files';
import type { RenderFiles, VideoFiles } from '#shared/ports/engine';
import { moved, type FilesTicket } from '../workers/video-files';

/** Files of a video that the engine's worker reads and writes. */
export interface WorkerOffer extends Pick<Offer, 'fault'> {
  /** The port to transfer together with the message. */
  readonly ticket: FilesTicket;
  close(): void;
}

export const offerVideoFiles = (files: VideoFiles | RenderFiles): WorkerOffer => {
  const { port1, port2 } = new MessageChannel();
  const { offered, fault } = offerFiles(files, moved);
  expose(offered, port1);
  const { sizeBytes, handle } = files.source;
  return { ticket: { sizeBytes, handle, port: port2 }, fault, close: () => port1.close() };
};
