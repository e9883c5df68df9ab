/** How a file is handed to a program of its own: the `handle` of a `ByteSource` on this host. */
export interface DiskFile {
  /** Absolute. */
  readonly path: string;
  /**
   * Where a converted copy may stand for a while; always the same, so that none is left behind. Audio that
   * is converted alone stands beside it, with `.audio` at the end of its name.
   */
  readonly convertedPath: string;
}

/** @throws where a source comes without a handle of this host */
export const diskFileOf = (handle: unknown): DiskFile => {
  if (typeof handle === 'object' && handle !== null && 'convertedPath' in handle) return handle as DiskFile;
  throw new Error('A video that is to be converted is no file on the disk.');
};
