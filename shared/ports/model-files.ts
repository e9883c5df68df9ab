/** Reads model files by the name the manifest gives them. */
export interface ModelFiles {
  /** @param onProgress share of the file that has been read, 0..1 */
  read(file: string, onProgress?: (share: number) => void): Promise<Uint8Array>;
}
