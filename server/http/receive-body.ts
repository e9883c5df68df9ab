import type { IncomingMessage } from 'node:http';
import { ApiError } from '#shared/api/contract/errors';
import type { BodyPace } from './connection-limits';
import { watchPace } from './watch-pace';

/**
 * Receives a body into memory.
 *
 * The request is never destroyed, whatever happens: the answer goes out on its socket.
 *
 * @throws ApiError `body_too_large`, `upload_broken`, `upload_too_slow`
 */
export const receiveBody = (
  request: IncomingMessage,
  maxBytes: number,
  pace: BodyPace,
): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    const settle = (act: () => void): void => {
      endWatch();
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
      act();
    };
    const refuse = (error: ApiError): void => settle(() => reject(error));
    const breakOff = (): void => refuse(new ApiError('upload_broken'));
    const end = (): void => settle(() => resolve(Buffer.concat(pieces)));
    const take = (piece: Buffer): void => {
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) refuse(new ApiError('body_too_large', maxBytes));
      else pieces.push(piece);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(new ApiError('body_too_large', maxBytes));
      return;
    }
    const endWatch = watchPace(request, pace, refuse);
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
  });
