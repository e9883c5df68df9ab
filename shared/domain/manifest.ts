import type { ObjectClass } from './object-class';

/** What speaks for or against a plate, each as it is weighed. */
export interface PlateEvidence {
  /** Log odds of the mean of what the network says in all looks. */
  readonly looks: number;
  /** Logarithm of how far the looks' corners lie from their mean, in plate heights: what is no plate has none. */
  readonly spread: number;
  /** 1: read as text, or followed from the frames before; 0: seen in a scan alone, as one of a hundred windows. */
  readonly isProposed: 0 | 1;
  /** How far above the middle of its vehicle its own middle lies, in vehicle heights; 0: below, or on none. */
  readonly above: number;
  /** Logarithm of its width as a share of its vehicle's. */
  readonly width: number;
}

/** What each counts, in log odds, and what those are before all evidence (`models/train/license-plates/weigh.py`). */
export type EvidenceWeights = Readonly<Record<keyof PlateEvidence | 'bias', number>>;

/** When parts of an image outside vehicles are scanned for plates: in each image, or only where no other plate was found. */
export type FullScanMode = 'always' | 'without-plates';

/** Mean raw scores of all passes, from which the score alone makes a plate. */
export interface PlateScores {
  /** Of a proposal on no vehicle. */
  readonly proposed: number;
  /** Of a scan, on no vehicle: a scan reads a hundred windows where text proposes one. */
  readonly scanned: number;
  /** On a vehicle, whatever the other evidence says: the plate may belong to another vehicle before a bus. */
  readonly onVehicle: number;
}

/** How the plate classifier is run and which scores it needs, as measured with its weights. */
export interface PlateSettings {
  /** The part of an image that the network reads at once. Training reads the same numbers. */
  readonly window: {
    /** In network px. */
    readonly widthPx: number;
    readonly heightPx: number;
    /** Distance between neighbouring windows of a larger input, in network px. */
    readonly stepPx: number;
    /** Width of a window ÷ width of its proposal: an inexact proposal still shows the whole plate. */
    readonly enlargement: number;
    /**
     * Widths of further windows around a likely plate, as multiples of the first. How far corners are off depends on
     * where they lie in a window, so the mean of all is better than any of them.
     */
    readonly otherWidths: readonly number[];
  };
  /** Raw scores below which a candidate gets no further pass. */
  readonly minScores: {
    /** After the first pass over a proposal: low, because few lines of text are wrong. */
    readonly proposed: number;
    /** After the first pass of a scan. */
    readonly scanned: number;
    /** Mean of the first two passes: two more hardly ever save a lower one. */
    readonly rescored: number;
  };
  readonly plateScores: {
    readonly images: PlateScores;
    /** Lower: in videos a mistake costs less than a plate that is missed in every frame. */
    readonly frames: PlateScores;
  };
  /** Scans outside vehicles. */
  readonly fullScan: {
    /** Long sides, in px, that the image is scaled to. */
    readonly longSides: Readonly<Record<FullScanMode, readonly number[]>>;
    readonly maxEnlargement: number;
  };
  /** Long sides, in px, at which text is read where scans find all but the largest plates. */
  readonly textLongSides: readonly number[];
}

/** How a graph's outputs are read; each has a file in `shared/engine/heads/`. */
export const HEAD_NAMES = [
  'centernet',
  'plate-corners',
  'text-regions',
  'plate-windows',
  'selfie-mask',
  'pose-mask',
  'object-outline',
  'yunet',
  'centerface',
  'yolox',
  'yolo',
  'yolo-end-to-end',
  'yolo-seg',
  'yolo-seg-end-to-end',
  'efficient-sam',
] as const;
export type HeadName = (typeof HEAD_NAMES)[number];

/** What a model needs at its input: float32 NCHW, `(value 0..255 − mean) / std` per channel. */
export interface ModelInput {
  readonly name: string;
  /** Of red, green and blue, whatever the order of the planes. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** Order of the planes; RGB where it is not named. */
  readonly channels?: 'rgb' | 'bgr';
  /** Level, 0..255, of what the picture leaves free; black where it is not named. */
  readonly padding?: number;
  /** A fixed size, in which larger scales are looked at window by window, or … */
  readonly size?: readonly [width: number, height: number];
  /** … one of several, of which the one is taken whose proportions are nearest to the object's, or … */
  readonly sizes?: readonly (readonly [width: number, height: number])[];
  /** … any size whose sides are multiples of this. */
  readonly multipleOf?: number;
  /** … of which the scales behind the first are looked at in windows with sides of this many px, where it is named. */
  readonly windowPx?: number;
  /** Long sides, in px, that the picture is scaled to for it; each finds objects of another size. */
  readonly longSides?: readonly number[];
  /** Scales that enlarge a picture more than this are left out: they cost most and find nothing new. */
  readonly maxEnlargement?: number;
  /** Inputs beside the picture, for networks that are told what to outline: points, and what each of them is. */
  readonly prompts?: { readonly points: string; readonly labels: string };
}

/** The package that a model is built from. */
export interface PackagedSource {
  readonly registry: 'npm' | 'pypi';
  readonly package: string;
  readonly version: string;
  /** Subresource integrity of the package's tarball or wheel: `sha512-…` or `sha256-…`. */
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

/** A model that users install themselves, as part of a pack. */
export interface DownloadedSource {
  /** Where it is loaded from; a model that comes with its pack's description has none. */
  readonly url?: string;
}

export type ModelSource = PackagedSource | TrainedSource | DownloadedSource;

/** By the number of a class, as decimal text. */
export type Labels = Readonly<Partial<Record<string, ObjectClass>>>;

/**
 * When a finer pass of a detector is worth its time, as measured: raw scores, and roots of areas in network px of the pass
 * before.
 */
export interface Refinement {
  /** What scores less is looked at no closer. */
  readonly minScore: number;
  /** What is smaller is looked at closer, however sure it is: something smaller may be beside it. */
  readonly smallPx: number;
  /** What is smaller and scores less than this is looked at closer, so that another scale confirms it or does not. */
  readonly confidentScore: number;
  readonly doubtfulPx: number;
}

/** One model of `models/manifest.json`, or of an installed pack. */
export interface ModelEntry {
  readonly id: string;
  /** File name in `models/`, or in the folder of the installed packs. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** SPDX identifier, and who says so. */
  readonly licence: string;
  readonly source: ModelSource;
  readonly head: HeadName;
  readonly classes: readonly ObjectClass[];
  /** What the numbers of the network's own classes stand for, where its head reads such numbers; others are nothing. */
  readonly labels?: Labels;
  readonly input: ModelInput;
  /** It reads what another model makes of the picture, and `input` says how that one is shown it. */
  readonly features?: { readonly model: string; readonly output: string };
  /** The graph's output names, in the order its head reads them. */
  readonly outputs: readonly string[];
  /** Output with five points of each face (eyes, nose, corners of the mouth); detection does not request it. */
  readonly landmarks?: string;
  /**
   * Detectors: raw score that stands for each class's default threshold (its measured operating point).
   * Masks: probability from which a pixel belongs to the object, under its class.
   */
  readonly thresholds: Readonly<Partial<Record<ObjectClass, number>>>;
  /** Detectors that look from coarse to fine; others look at everything at each of their scales. */
  readonly refinement?: Refinement;
  /** How a judge of plates is believed: what its looks and all else that is known of a candidate count. */
  readonly evidence?: EvidenceWeights;
  /** Required for the head `plate-windows`. */
  readonly plates?: PlateSettings;
}

export interface Manifest {
  readonly models: readonly ModelEntry[];
}

/** A manifest that lacks what the engine needs; the message is a sentence for people. */
export class BadManifest extends Error {
  override readonly name = 'BadManifest';
}

const withoutThreshold = (id: string, objectClass: ObjectClass): string =>
  `The model ${id} has no threshold for the class ${objectClass}.`;
const withoutPlateSettings = (id: string): string => `The model ${id} has no settings for plates.`;

/** @returns a sentence that names the first thing that an entry lacks, or undefined if it is complete */
export const missingIn = ({ id, head, classes, thresholds, plates }: ModelEntry): string | undefined => {
  const missing = classes.find((objectClass) => thresholds[objectClass] === undefined);
  if (missing) return withoutThreshold(id, missing);
  return head === 'plate-windows' && !plates ? withoutPlateSettings(id) : undefined;
};

/**
 * Checks a manifest when it is read, so that an incomplete entry is reported before any model runs.
 *
 * @throws {BadManifest} if a class of a model has no threshold, or the plate classifier no settings
 */
export const checkManifest = (manifest: Manifest): Manifest => {
  for (const entry of manifest.models) {
    const problem = missingIn(entry);
    if (problem !== undefined) throw new BadManifest(problem);
  }
  return manifest;
};

/** The threshold of a model for a class. @throws {BadManifest} if the entry has none */
export const thresholdOf = (entry: ModelEntry, objectClass: ObjectClass): number => {
  const threshold = entry.thresholds[objectClass];
  if (threshold === undefined) throw new BadManifest(withoutThreshold(entry.id, objectClass));
  return threshold;
};

/** The settings of a plate classifier. @throws {BadManifest} if the entry has none */
export const plateSettingsOf = ({ id, plates }: ModelEntry): PlateSettings => {
  if (!plates) throw new BadManifest(withoutPlateSettings(id));
  return plates;
};
