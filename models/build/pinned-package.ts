/** Files of one package by their path inside it. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** A package whose archive is pinned by its hash. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}
