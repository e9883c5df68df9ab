import type { ObjectClass } from '../pipeline/object-class';

/** How a graph's outputs are read; `shared/pipeline/heads.ts` has the decoder of each. */
export const HEAD_NAMES = [
  'faceboxes',
  'centernet',
  'plate-corners',
  'text-regions',
  'plate-windows',
  'selfie-mask',
  'pose-mask',
] as const;
export type HeadName = (typeof HEAD_NAMES)[number];

/** What a model needs at its input: float32 NCHW RGB, `(value 0..255 − mean) / std` per channel. */
export interface ModelInput {
  readonly name: string;
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** A fixed size, or … */
  readonly size?: readonly [width: number, height: number];
  /** … any size whose sides are multiples of this. */
  readonly multipleOf?: number;
  /** Long sides, in px, that the picture is scaled to for it; each finds objects of another size. */
  readonly longSides?: readonly number[];
  /** Scales that enlarge a picture more than this are left out: they cost most and find nothing new. */
  readonly maxEnlargement?: number;
}

/** The npm package that a model is built from. */
export interface PackagedSource {
  readonly package: string;
  readonly version: string;
  /** `sha512-…` of the package's tarball, as the registry states it. */
  readonly integrity: string;
  /** Path inside the package. */
  readonly path: string;
}

/** A model trained for the product: its file is the source. */
export interface TrainedSource {
  /** Folder with the code that trained it, from the repository's root. */
  readonly trained: string;
  /** SPDX identifiers of the pictures that it learnt from. */
  readonly dataLicences: readonly string[];
}

export type ModelSource = PackagedSource | TrainedSource;

/** One model of `models/manifest.json`. */
export interface ModelEntry {
  readonly id: string;
  /** File name in `models/`. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** SPDX identifier, and who says so. */
  readonly licence: string;
  readonly source: ModelSource;
  readonly head: HeadName;
  readonly classes: readonly ObjectClass[];
  readonly input: ModelInput;
  /** The graph's output names, in the order its head reads them. */
  readonly outputs: readonly string[];
  /**
   * Detectors: raw score that stands for each class's default threshold (its measured operating point).
   * Masks: probability from which a pixel belongs to the object, under its class.
   */
  readonly thresholds: Readonly<Partial<Record<ObjectClass, number>>>;
}

export interface Manifest {
  readonly models: readonly ModelEntry[];
}
