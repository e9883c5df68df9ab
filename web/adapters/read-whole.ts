/** All bytes of a file. */
export const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** Errors of a browser that reads a file which was replaced or removed after it had been opened. */
const CHANGED_FILE_ERRORS: readonly string[] = ['NotReadableError', 'NotFoundError'];
const hasChanged = (error: unknown): boolean =>
  error instanceof DOMException && CHANGED_FILE_ERRORS.includes(error.name);

const MAX_READS = 10;

/**
 * Reads a whole file. Opens it again if it was replaced between opening and reading.
 *
 * A page that is reloaded reads files which the page before it may still be replacing.
 *
 * @returns undefined if the file does not exist
 */
export const readWhole = async (open: () => Promise<Blob | undefined>): Promise<Uint8Array | undefined> => {
  for (let reads = 1; ; reads += 1) {
    const file = await open();
    try {
      return file && (await bytesOf(file));
    } catch (error) {
      if (reads === MAX_READS || !hasChanged(error)) throw error;
    }
  }
};
