import type { ObjectClass } from '../catalogue/classes';
import type { QualityPreset } from './options';

/** Evidence for or against a plate candidate, in the form to which `EvidenceWeights` apply. */
export interface PlateEvidence {
  /** Log odds of the classifier's mean score over all passes. */
  readonly logOdds: number;
  /**
   * Logarithm of the corners' distance from their mean over all passes, in plate heights: corners of false candidates
   * scatter more.
   */
  readonly spread: number;
  /** 1: proposed as text or tracked from earlier frames. 0: found only by a scan, as one of a hundred windows. */
  readonly isProposed: 0 | 1;
  /** Height of its centre above its vehicle's centre, in vehicle heights; 0 if below, or outside vehicles. */
  readonly above: number;
  /** Logarithm of its width as a share of its vehicle's. */
  readonly width: number;
}

/** Weight of each piece of evidence in log odds; `bias` is the prior (`models/train/license-plates/weigh.py`). */
export type EvidenceWeights = Readonly<Record<keyof PlateEvidence | 'bias', number>>;

/** When parts of an image outside vehicles are scanned for plates: in each image, or only where no other plate was found. */
export type FullScanMode = 'always' | 'without-plates';

/** Mean raw scores of all passes at which a candidate is accepted by its score alone. */
export interface PlateScores {
  /** For a proposal outside vehicles. */
  readonly proposed: number;
  /** For a scan outside vehicles. Higher, because a scan classifies a hundred windows where text proposes one. */
  readonly scanned: number;
  /** For a candidate on a vehicle, regardless of other evidence: the plate may be that of a car in front of a bus. */
  readonly onVehicle: number;
  /**
   * The same for a candidate whose box is smaller than this, as the root of its area in px; as for others if absent.
   * Lower, because a small plate is blurred in every pass, and a false one hides little.
   */
  readonly small?: { readonly belowPx: number; readonly onVehicle: number };
  /**
   * For a candidate outside vehicles that covers at least this share of the image; as for others if absent. Higher,
   * because a plate as near as that shows all of its details, and a false one hides much.
   */
  readonly large?: { readonly fromShare: number; readonly score: number };
}

/** How the plate classifier is run and which scores it needs, as measured with its weights. */
export interface PlateSettings {
  /** The part of an image that the network classifies at once. Training uses the same numbers. */
  readonly window: {
    /** In network px. */
    readonly widthPx: number;
    readonly heightPx: number;
    /** Distance between neighbouring windows of a larger input, in network px. */
    readonly stepPx: number;
    /** Width of a window ÷ width of its proposal. Above 1, so that an inexact proposal still shows the whole plate. */
    readonly enlargement: number;
    /**
     * Widths of further windows around a likely plate, as multiples of the first. The error of the corners depends on
     * their position in a window, so the mean over several windows is better than each of them.
     */
    readonly otherWidths: readonly number[];
  };
  /** Raw scores below which a candidate gets no further pass. */
  readonly minScores: {
    /** After the first pass over a proposal. Low, because few proposals are wrong. */
    readonly proposed: number;
    /** After the first pass of a scan. */
    readonly scanned: number;
    /** Mean of the first two passes. Two more passes hardly ever raise a lower score enough. */
    readonly rescored: number;
  };
  /** Turned windows around doubtful readings, for plates that are far from level; none if absent. */
  readonly turned?: {
    /** Angle of the windows, to the side to which a reading is tilted. */
    readonly degrees: number;
    /** Minimum tilt of a reading, in degrees. */
    readonly minTilt: number;
    /** Mean scores of the first two passes, raw, between which a reading is doubtful. */
    readonly from: number;
    readonly below: number;
    /** Minimum raw score of a turned window, and minimum mean of the first two passes at its angle. */
    readonly minScore: number;
  };
  readonly plateScores: {
    readonly images: PlateScores;
    /** For frames of videos. Lower, because a false plate costs less than one that is missed in every frame. */
    readonly frames: PlateScores;
  };
  /** Scans outside vehicles. */
  readonly fullScan: {
    /** Long sides, in px, that the image is scaled to. */
    readonly longSides: Readonly<Record<FullScanMode, readonly number[]>>;
    readonly maxEnlargement: number;
  };
  /** Long sides, in px, at which text is searched if a full scan finds all plates but the largest ones. */
  readonly textLongSides: readonly number[];
}

/** How a graph's outputs are decoded; each head has a file in `shared/engine/heads/`. */
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
  'detr',
  'efficient-sam',
  'face-embedding',
  'text-reader',
] as const;
export type HeadName = (typeof HEAD_NAMES)[number];

/** The input of a model: float32 NCHW, `(value 0..255 − mean) / std` per channel. */
export interface ModelInput {
  readonly name: string;
  /** In the order red, green, blue, independent of the order of the planes. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** Order of the planes; RGB if absent. */
  readonly channels?: 'rgb' | 'bgr';
  /** Level, 0..255, of the borders around the image; black if absent. */
  readonly padding?: number;
  /** A fixed size (larger scales of the image are cut into windows), or … */
  readonly size?: readonly [width: number, height: number];
  /**
   * With `size`: whether each window of a detector is stretched to fill the input, as the whole images of its training
   * were, instead of padded.
   */
  readonly isStretched?: boolean;
  /** … one of several sizes, of which the one with the object's nearest aspect ratio is used, or … */
  readonly sizes?: readonly (readonly [width: number, height: number])[];
  /** … any size whose sides are multiples of this number. */
  readonly multipleOf?: number;
  /** With `multipleOf`: if present, scales after the first are cut into windows of this side in px. */
  readonly windowPx?: number;
  /** Long sides, in px, to which the image is scaled; each finds objects of another size. */
  readonly longSides?: readonly number[];
  /** Scales that enlarge an image by more than this factor are skipped: they take the longest and find nothing new. */
  readonly maxEnlargement?: number;
  /** Inputs next to the image, for prompted networks: points, and the label of each. */
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
  /** SPDX identifiers of the images that it was trained with. */
  readonly dataLicences: readonly string[];
}

/** A model that users install themselves, as part of a pack. */
export interface DownloadedSource {
  /** Download address; absent for a model that is delivered with its pack's description. */
  readonly url?: string;
}

export type ModelSource = PackagedSource | TrainedSource | DownloadedSource;

/** Our class by the network's class number in decimal. */
export type Labels = Readonly<Partial<Record<string, ObjectClass>>>;

/**
 * When a finer pass of a detector is worth its time, as measured: raw scores, and square roots of box areas in network
 * px of the previous pass.
 */
export interface Refinement {
  /** Detections below this score are not refined. */
  readonly minScore: number;
  /** Detections below this size are refined at any score, because smaller objects may be next to them. */
  readonly smallPx: number;
  /** Detections below the size above and this score are refined, so that another scale confirms or rejects them. */
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
  /** SPDX identifier, and its source. */
  readonly licence: string;
  readonly source: ModelSource;
  readonly head: HeadName;
  readonly classes: readonly ObjectClass[];
  /** For heads that output class numbers: our class for each number. Detections of other numbers are ignored. */
  readonly labels?: Labels;
  readonly input: ModelInput;
  /** Its input is an output of another model, and `input` describes that model's input. */
  readonly features?: { readonly model: string; readonly output: string };
  /** The graph's output names, in the order that its head expects. */
  readonly outputs: readonly string[];
  /** Output with five points of each face (eyes, nose, corners of the mouth); detection does not request it. */
  readonly landmarks?: string;
  /**
   * Detectors: raw score that corresponds to each class's default threshold (its measured operating point). Masks:
   * probability from which a pixel belongs to the object, under its class.
   */
  readonly thresholds: Readonly<Partial<Record<ObjectClass, number>>>;
  /** Quality presets that use it; absent: all. */
  readonly presets?: readonly QualityPreset[];
  /** For detectors that run as a cascade; others search everything at each of their scales. */
  readonly refinement?: Refinement;
  /** Weights of a plate classifier's scores and of the other evidence for a candidate. */
  readonly evidence?: EvidenceWeights;
  /** Required for the head `plate-windows`. */
  readonly plates?: PlateSettings;
}

export interface Manifest {
  readonly models: readonly ModelEntry[];
}

/** An incomplete manifest. The message is a sentence for users. */
export class BadManifest extends Error {
  override readonly name = 'BadManifest';
}

const withoutThreshold = (id: string, objectClass: ObjectClass): string =>
  `The model ${id} has no threshold for the class ${objectClass}.`;
const withoutPlateSettings = (id: string): string => `The model ${id} has no settings for plates.`;

/** @returns a sentence that names the first missing setting of an entry, or undefined if it is complete */
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
