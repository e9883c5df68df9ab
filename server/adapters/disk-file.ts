/** The `handle` of a `ByteSource` on this host: paths for ffmpeg, which reads the file itself. */
export interface DiskFile {
  /** Absolute path of the file. */
  readonly path: string;
  /**
   * Path for a temporary converted copy, in a folder that only this user can read. On a server it is always the same,
   * so that a later run replaces a copy that was left behind. Audio that is converted alone has the same path with `.audio` appended.
   */
  readonly convertedPath: string;
}

/** @throws Error where the source has no handle of this host */
export const diskFileOf = (handle: unknown): DiskFile => {
  if (typeof handle === 'object' && handle !== null && 'convertedPath' in handle) return handle as DiskFile;
  throw new Error('A video without a file on disk cannot be converted.');
};
