import type { IncomingMessage } from 'node:http';
import { ApiError } from '#shared/api/contract/errors';
import type { Timer } from '#shared/ports/system';
import { timer as systemTimer } from '../adapters/system';

/** How slowly the body of a request may arrive. There is no limit of the total time: 2 GiB over a slow line are fine. */
export interface BodyPace {
  /** Longest time without a byte; `--upload-idle`. */
  readonly uploadIdleMs: number;
  /** Smallest mean rate over twice that time; `--upload-min-rate`. */
  readonly uploadMinBytesPerS: number;
}

/** What the connections of a server may occupy. */
export interface ConnectionLimits extends BodyPace {
  /** `--max-connections` */
  readonly maxConnections: number;
  /** `--max-event-streams` */
  readonly maxEventStreams: number;
}

/** The defaults. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  uploadIdleMs: 60_000,
  // A hundredth of the slowest mobile line, so that only clients fall below it that send to hold a connection.
  uploadMinBytesPerS: 1024,
  // A browser opens six. With a file for each they stay below the 4,096 descriptors that most systems allow.
  maxConnections: 1_000,
  // Each is a connection of its own, and uploads must find room next to them.
  maxEventStreams: 250,
};

/** Options of Node's web server: the headers of a request must arrive within this time, checked every five seconds. */
export const HEADER_TIME = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;

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
