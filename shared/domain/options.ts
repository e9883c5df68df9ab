import { OBJECT_CLASSES, type ObjectClass } from './object-class';

export const METHODS = ['blur', 'pixelate', 'blacken', 'detect'] as const;
/** What is done to an object's pixels; `detect` only reports. */
export type Method = (typeof METHODS)[number];
/** A method that leaves nothing to be seen. */
export type HidingMethod = Exclude<Method, 'detect'>;
/** Classes that are hidden otherwise than the others. */
export type ClassMethods = Readonly<Partial<Record<ObjectClass, HidingMethod>>>;

/** Where a request names none (spec: POST /v1/file). Models are calibrated to these: see `calibration.ts`. */
export const DEFAULT_THRESHOLDS = {
  face: 0.5,
  'license-plate': 0.5,
  person: 0.4,
  vehicle: 0.4,
} as const satisfies Record<ObjectClass, number>;

/** How a picture is cut before detection; each tile is also looked at as part of the whole picture. */
export type Tiling =
  | { readonly kind: 'whole' }
  /** `number` = [columns, rows], `overlap` = share of a tile's width and height, 0 ≤ overlap < 1. */
  | {
      readonly kind: 'grid';
      readonly number: readonly [number, number];
      readonly overlap: readonly [number, number];
    }
  /** An equirectangular panorama, looked at as if it were `width` px wide, across its left-right seam too. */
  | { readonly kind: 'pano'; readonly width: number };

/**
 * How plates are looked for: by a network that knows them, or also as any text that is shaped and placed like one.
 * The second finds a few more, takes longer, and hides signs and stickers too.
 */
export type PlateSearch = 'plates' | 'plates-and-text';

export const QUALITY_PRESETS = ['fast', 'balanced', 'thorough'] as const;
/** How hard is looked, for how much time: what each of them means stands in `search-effort.ts`. */
export type QualityPreset = (typeof QUALITY_PRESETS)[number];
/** Where a request names none. */
export const DEFAULT_QUALITY: QualityPreset = 'balanced';

/** A rectangle of the upright picture, in px, whose pixels stay as they are (spec: `ignores`). */
export interface IgnoreArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Everything that decides what an anonymised image looks like. Plain data: it crosses worker borders and is stored. */
export interface ImageOptions {
  readonly method: Method;
  readonly classes: readonly ObjectClass[];
  /** Lowest score, 0..1, at which an object of the class is hidden and reported. */
  readonly thresholds: Readonly<Record<ObjectClass, number>>;
  /** Hide whole boxes instead of segmentation shapes (spec: `bbox`). */
  readonly wholeBoxes: boolean;
  /** Draw boxes and masks (spec: `debug`) … */
  readonly debug: boolean;
  /** … with class and score as labels (spec: `score`). */
  readonly score: boolean;
  readonly tiling: Tiling;
  /** `plates` where it is not named. */
  readonly plateSearch?: PlateSearch;
  /** `DEFAULT_QUALITY` where it is not named. */
  readonly quality?: QualityPreset;
  /** Hide the heads of persons whose face is not found, though it is near enough to be recognised. */
  readonly hidesHeads?: boolean;
  readonly ignores: readonly IgnoreArea[];
}

/** Options of a request that names none: blur objects of every class. @param changed what differs */
export const defaultImageOptions = (changed: Partial<ImageOptions> = {}): ImageOptions => ({
  method: 'blur',
  classes: OBJECT_CLASSES,
  thresholds: DEFAULT_THRESHOLDS,
  wholeBoxes: false,
  debug: false,
  score: false,
  tiling: { kind: 'whole' },
  ignores: [],
  ...changed,
});
