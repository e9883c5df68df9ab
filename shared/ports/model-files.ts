/** Reads model files by their names in the manifest. */
export interface ModelFiles {
  /** @param onProgress receives the share of the file that has been read, 0..1 */
  read(file: string, onProgress?: (share: number) => void): Promise<Uint8Array>;
}
