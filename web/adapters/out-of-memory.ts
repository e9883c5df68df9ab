import type { Log } from '#shared/ports/log';
import { UnreadableFile } from '#shared/domain/unreadable-file';

/** What browsers, WASM runtimes and `startWorker` say; a worker that merely ends was most likely ended for its memory. */
const SIGNS =
  /out of memory|bad_alloc|allocation failed|failed to allocate|memory size exceeded|invalid array length|stopped: it ended/i;

export const isOutOfMemory = (error: unknown): error is Error =>
  error instanceof Error && SIGNS.test(error.message);

const SENTENCE =
  'The file needs more memory than this tab can use. Close other tabs, use a smaller file, or process it on a server.';

/** Gives what ran out of memory a sentence that its user can act on; other faults stay what they are. */
export const sayingMemory = async <T>(log: Log, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    log.error('The engine ran out of memory', error);
    throw new UnreadableFile(SENTENCE);
  }
};
