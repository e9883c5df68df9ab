import { WorkerDied } from './engine-bridge';
import type { Log } from '#shared/ports/system';
import { UnreadableFile } from '#shared/domain/failure';

/** Error messages of browsers and WASM runtimes. */
const SIGNS =
  /out of memory|bad_alloc|allocation failed|failed to allocate|memory size exceeded|invalid array length/i;

/** A worker that ends without an error most likely ran out of memory. */
export const isOutOfMemory = (error: unknown): error is Error =>
  error instanceof Error &&
  ((error instanceof WorkerDied && error.by === 'silently') || SIGNS.test(error.message));

const SENTENCE =
  'The file needs more memory than this tab can use. Close other tabs, use a smaller file, or process it on a server.';

/** Replaces an out-of-memory error by a sentence for the user. Other errors are passed on unchanged. */
export const sayingMemory = async <T>(log: Log, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    log.error('The engine ran out of memory', error);
    throw new UnreadableFile(SENTENCE, 'out-of-memory');
  }
};
