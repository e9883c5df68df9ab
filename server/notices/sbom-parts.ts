import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noticePackages } from './notice-packages';
import type { SbomParts } from './render-sbom';

interface ManifestModel {
  readonly file: string;
  readonly sha256: string;
  /** An SPDX identifier, followed by its source in brackets. */
  readonly licence: string;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** Reads the parts of the SBOM. @param root path of the repository */
export const readSbomParts = (root: string): SbomParts => {
  const { name, version } = readJson<{ name: string; version: string }>(join(root, 'package.json'));
  const { models } = readJson<{ models: readonly ManifestModel[] }>(join(root, 'models/manifest.json'));
  return {
    product: { name, version },
    packages: noticePackages(root),
    models: models.map(({ file, sha256, licence }) => ({
      file,
      sha256,
      licence: licence.replace(/ \(.*$/, ''),
    })),
  };
};
