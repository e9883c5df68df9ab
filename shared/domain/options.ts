import { PARAMETER_TABLE } from '../catalogue/parameters';
import { commonOptions, type CommonOptions } from '../catalogue/derive-parameters';
import {
  type DefaultClass,
  type ObjectClass,
  CLASSES,
  DEFAULT_CLASSES,
  perClass,
} from '../catalogue/classes';
import type { HidingMethod } from '../catalogue/methods';
import type { HiddenArea } from './hidden-areas';
import type { ClassReasons, ReasonCode } from './reasons';

/** Classes with a method of their own. */
export type ClassMethods = Readonly<Partial<Record<ObjectClass, HidingMethod>>>;

/** How many times as wide and as high as usual objects are hidden: at all, and those of single classes. */
export interface Margins {
  /** Absent: 1. */
  readonly margin?: number;
  readonly margins?: Readonly<Partial<Record<ObjectClass, number>>>;
}

export const marginOf = ({ margin = 1, margins }: Margins, name: ObjectClass): number =>
  margins?.[name] ?? margin;

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

/** A tiling as a request names it: `auto` is what the file says, `guess` also what its size suggests (`tilingOf`). */
export type RequestedTiling = Tiling | { readonly kind: 'auto' } | { readonly kind: 'guess' };

/** How plates are distinguished from other text; `thorough` also hides any text with the shape and place of a plate. */
export type PlateSearch = CommonOptions['plates'];
export const QUALITY_PRESETS = PARAMETER_TABLE['quality-preset'].value.of;
/** Preset of quality and time, defined in `engine/detect/quality-presets.ts`. */
export type QualityPreset = CommonOptions['qualityPreset'];

/** A rectangle of the upright image, in px, whose pixels stay as they are. */
export interface IgnoreArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * All options that determine an anonymised image. Plain data: it is sent to workers and stored.
 *
 * Those that are not of classes are as the query has them (`catalogue/parameters.ts`), but for these.
 */
export interface ImageOptions extends Omit<CommonOptions, 'format' | 'ignores' | 'hides'>, Margins {
  readonly classes: readonly ObjectClass[];
  readonly thresholds: ClassThresholds;
  readonly format: RequestedTiling;
  readonly ignores: readonly IgnoreArea[];
  /** Areas that are hidden whatever is there; absent: none. */
  readonly hides?: readonly HiddenArea[];
  /** Methods of single classes, instead of `method`. */
  readonly methods?: ClassMethods;
  /** Reasons that edits can name; absent: none. */
  readonly reasons?: readonly ReasonCode[];
  /** Reasons of single classes. */
  readonly classReasons?: ClassReasons;
}

/** Whether text is read, because not all of it is hidden. */
export const readsText = ({ textMatch, textKeep }: Pick<ImageOptions, 'textMatch' | 'textKeep'>): boolean =>
  (textMatch ?? textKeep) !== undefined;

/** What decides which models are loaded. */
export type ModelNeeds = Pick<ImageOptions, 'classes' | 'qualityPreset'>;

/** Options of a request that names none: blur objects of the default classes. @param changed what differs */
export const defaultImageOptions = (changed: Partial<ImageOptions> = {}): ImageOptions => {
  const { hides: _noText, ...common } = commonOptions();
  return {
    ...common,
    classes: DEFAULT_CLASSES,
    thresholds: perClass((name) => CLASSES[name].threshold, DEFAULT_CLASSES),
    format: { kind: 'whole' },
    ignores: [],
    ...changed,
  };
};
