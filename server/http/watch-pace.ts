import type { IncomingMessage } from 'node:http';
import { ApiError } from '#shared/api/contract/errors';
import type { Timer } from '#shared/ports/system';
import { timer as systemTimer } from '../adapters/timer';
import type { BodyPace } from './connection-limits';

const MS_PER_S = 1000;

/**
 * Watches how fast a body arrives. The caller reads it.
 *
 * The rate counts over twice the time that a client may pause, so that a pause of a slow line does not end its upload.
 * While the server itself does not read on, because its disk is slow, the client is not to blame.
 *
 * @param refuse called when data stops arriving, or arrives too slowly
 * @returns ends the watch
 */
export const watchPace = (
  request: IncomingMessage,
  { uploadIdleMs, uploadMinBytesPerS }: BodyPace,
  refuse: (error: ApiError) => void,
  timer: Timer = systemTimer,
): (() => void) => {
  const windowMs = 2 * uploadIdleMs;
  const minBytes = (uploadMinBytesPerS * windowMs) / MS_PER_S;
  let bytes = 0;
  const count = (chunk: Buffer): void => void (bytes += chunk.length);
  const tooSlow = (): void =>
    refuse(new ApiError('upload_too_slow', uploadIdleMs / MS_PER_S, uploadMinBytesPerS));
  const check = (): void => {
    if (bytes < minBytes && !request.isPaused()) return tooSlow();
    bytes = 0;
    cancel = timer.after(windowMs, check);
  };
  let cancel = timer.after(windowMs, check);
  request.on('data', count).setTimeout(uploadIdleMs, tooSlow);
  return () => {
    cancel();
    request.off('data', count).off('timeout', tooSlow).setTimeout(0);
  };
};
