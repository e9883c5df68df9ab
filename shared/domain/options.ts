import {
  CLASSES,
  DEFAULT_CLASSES,
  perClass,
  type DefaultClass,
  type ObjectClass,
} from '../catalogue/classes';
import type { HidingMethod, Method } from '../catalogue/methods';

/** Classes with a method of their own. */
export type ClassMethods = Readonly<Partial<Record<ObjectClass, HidingMethod>>>;

export const DEFAULT_THRESHOLDS = perClass((name) => CLASSES[name].threshold);

/**
 * Minimum scores of a request, 0..1, at which an object of a class is hidden and reported.
 *
 * Classes that are off by default have one only where they are selected.
 */
export type ClassThresholds = Readonly<Record<DefaultClass, number> & Partial<Record<ObjectClass, number>>>;

/** The threshold of a class, whether the request selects it or not. */
export const thresholdIn = (thresholds: ClassThresholds, objectClass: ObjectClass): number =>
  thresholds[objectClass] ?? DEFAULT_THRESHOLDS[objectClass];

/**
 * Objects with lower scores are not stored with a result, 0..1: a person can lower thresholds to this without a new
 * search.
 */
export const CANDIDATE_FLOOR = 0.25;

/** How an image is divided into tiles before detection; the whole image is searched, too. */
export type Tiling =
  | { readonly kind: 'whole' }
  /** `number` = [columns, rows], `overlap` = share of a tile's width and height, 0 ≤ overlap < 1. */
  | {
      readonly kind: 'grid';
      readonly number: readonly [number, number];
      readonly overlap: readonly [number, number];
    }
  /** An equirectangular panorama, searched at a width of `width` px, and also across its left-right seam. */
  | { readonly kind: 'pano'; readonly width: number };

/**
 * How plates are searched: by the plate classifier, or also as any text with the shape and place of one. The second
 * finds a few more, takes longer, and hides signs and stickers too.
 */
export type PlateSearch = 'plates' | 'plates-and-text';

export const QUALITY_PRESETS = ['fast', 'balanced', 'thorough'] as const;
/** Preset of quality and time, defined in `engine/detect/quality-presets.ts`. */
export type QualityPreset = (typeof QUALITY_PRESETS)[number];
/** The preset of a request that names none. */
export const DEFAULT_QUALITY: QualityPreset = 'balanced';

/** A rectangle of the upright image, in px, whose pixels stay as they are (spec: `ignores`). */
export interface IgnoreArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** All options that determine an anonymised image. Plain data: it is sent to workers and stored. */
export interface ImageOptions {
  readonly method: Method;
  readonly classes: readonly ObjectClass[];
  readonly thresholds: ClassThresholds;
  /** Hide whole boxes instead of segmentation shapes (spec: `bbox`). */
  readonly wholeBoxes: boolean;
  /** Draw boxes and masks (spec: `debug`) … */
  readonly debug: boolean;
  /** … with class and score as labels (spec: `score`). */
  readonly score: boolean;
  readonly tiling: Tiling;
  /** `plates` if absent. */
  readonly plateSearch?: PlateSearch;
  /** `DEFAULT_QUALITY` if absent. */
  readonly quality?: QualityPreset;
  /** Hide the heads of persons without a detected face who are near enough to be recognised. */
  readonly hidesHeads?: boolean;
  readonly ignores: readonly IgnoreArea[];
  /** Methods of single classes, instead of `method`. */
  readonly methods?: ClassMethods;
  /** Camera and GPS fields of an image stay in its result; if absent, as the service is configured. */
  readonly keepsMetadata?: boolean;
  /** Id of the subject whose face stays visible; if absent, all faces are hidden. */
  readonly show?: string;
}

/** Options of a request that names none: blur objects of the default classes. @param changed what differs */
export const defaultImageOptions = (changed: Partial<ImageOptions> = {}): ImageOptions => ({
  method: 'blur',
  classes: DEFAULT_CLASSES,
  thresholds: perClass((name) => CLASSES[name].threshold, DEFAULT_CLASSES),
  wholeBoxes: false,
  debug: false,
  score: false,
  tiling: { kind: 'whole' },
  ignores: [],
  ...changed,
});
