import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { offerFiles, type Offer } from '#shared/engine/video/offered-files';
import type { VideoFiles } from '#shared/ports/engine';
import { moved, type FilesTicket } from '../workers/video-files';

/** A video's files, offered to a thread. */
export interface ThreadOffer extends Pick<Offer, 'fault'> {
  readonly ticket: FilesTicket;
  /** For the message that hands over the ticket. */
  readonly port: MessagePort;
  close(): void;
}

export const offerVideoFiles = (files: VideoFiles): ThreadOffer => {
  const { port1, port2 } = new MessageChannel();
  const { offered, fault } = offerFiles(files, moved);
  expose(offered, nodeEndpoint(port1));
  port1.unref();
  const { sizeBytes, handle } = files.source;
  return { ticket: { sizeBytes, handle, port: port2 }, port: port2, fault, close: () => port1.close() };
};
