import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { EngineMethods } from '#shared/ports/engine';
import { serve } from '#shared/threads/remote';

/** Serves an engine at a port until the pool closes it; the thread is free again when this resolves. */
export type ServeLease = (port: MessagePort) => Promise<void>;

/**
 * Serves an engine, lease after lease.
 *
 * @param open called at the first call, and again where it failed
 * @param settle awaited at each lease's end, also where its work was given up: the thread may be ended then
 */
export const createLeaseServer = (
  open: () => Promise<EngineMethods>,
  settle: () => Promise<void> = async () => undefined,
): ServeLease => {
  let opening: Promise<EngineMethods> | undefined;
  const engine = (): Promise<EngineMethods> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return async (port) => {
    const closed = once(port, 'close');
    serve(port, engine, false);
    await closed;
    await settle();
  };
};
