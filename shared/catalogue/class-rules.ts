import { OBJECT_CLASSES, type ObjectClass } from './classes';

/** Mean colours of an object's own pixels, as cells. */
export interface AveragedCells {
  /** Side of the cells of `blur`: a share of the longer or shorter side, and at least `minPx`. */
  readonly blur: { readonly share: number; readonly of: 'longer' | 'shorter'; readonly minPx: number };
  /**
   * Cells of `pixelate` along the object's shorter side: at most 8, fewer where 8 would be recognisable; below 1
   * where a cell is longer than that side.
   */
  readonly pixelate: number;
}

/** Rows of colours, 0xRRGGBB, which replace every object of the class: nothing of its own pixels remains. */
export interface FixedCells {
  readonly fixed: readonly (readonly number[])[];
}

/** Strength of a class's redaction. Lengths are shares of the box: near and far objects are hidden equally. */
export interface Strength {
  /**
   * Width of the box in heights: boxes are enlarged to it before all else. Otherwise the shape of what is hidden would
   * distinguish objects whose pixels are all replaced (decision 49).
   */
  readonly ratio?: number;
  /**
   * Padding on each side, as a share of the box's sides: detectors' boxes end at the chin. The horizontal padding of a
   * `plate` and of a `line` is a share of its height, because the last character sticks out equally far from short and
   * long ones. The quadrilaterals of text have a margin already (`text-quadrilateral.ts`).
   */
  readonly padding: readonly [x: number, y: number];
  /** Soft edge of `blur`, outside the padding, as a share of the shorter side. */
  readonly feather: number;
  /** What `blur` smooths and `pixelate` shows. */
  readonly cells: AveragedCells | FixedCells;
}

/** Overlaps above which two boxes count as one object. */
export interface OverlapLimits {
  readonly iou: number;
  /** A box with this share of its area inside a better one is a part of it; 1 keeps all. */
  readonly inside: number;
  /**
   * A box with a smaller share of a better one's area is another object before or behind it, not a part; 0 if absent.
   */
  readonly minPart?: number;
}

/** When the mask of an object is accepted. */
interface MaskRules {
  /** Maximum distance of the mask beyond the box: boxes cut hands and feet, mirrors and wheels. */
  readonly reach: number;
  /** Minimum filled share of the box: below it the segmentation has failed. */
  readonly minFilled: number;
  /** Minimum share of the box's core in the mask: below it the mask covers only a part of the object. */
  readonly minShareOfCore: number;
  /** Whether holes in the mask belong to the object, like windows to a car. */
  readonly fillsHoles: boolean;
}

/** How the engine finds, hides and draws objects of a class. In a file of its own, which the page's first load does not need. */
export interface ClassRules {
  readonly strength: Strength;
  /** What hides an object without a mask. A `plate` has corners; a `line` of text also where the image cuts it. */
  readonly shape: 'ellipse' | 'superellipse' | 'plate' | 'line';
  /** Merging of the boxes of all tiles. */
  readonly overlap: OverlapLimits;
  /**
   * Set if passes are fused: the class's detector finds most objects at each of its scales, so an object that only one
   * scale shows is less likely. Small faces appear only at the largest scale, and plates are scored by another network.
   * Below `minReliablePx`, a root of an area in network px, a pass often misses an object and does not count against it.
   */
  readonly fusion?: { readonly minReliablePx: number };
  /** Set if objects are hidden by masks; the others are hidden with a margin around the box. */
  readonly mask?: MaskRules;
  /** Whether no object lies within another of its class, so that a smaller hit of a track is a part of it. */
  readonly isNeverNested?: boolean;
  readonly colour: {
    /** In the page, also under dark text. */
    readonly page: `#${string}`;
    /** In images with `debug`. */
    readonly debug: readonly [red: number, green: number, blue: number];
  };
}

/**
 * Minimum area of a part, as a share of the whole: a smaller box is another object, such as a person far behind a near
 * one, or a car before a train.
 */
const MIN_PART = 0.15;
/**
 * The same for plates: a smaller reading is not a part of a plate, but a plate inside a sign or a scene that was read
 * as one.
 */
export const MIN_PLATE_PART = 0.05;

/** The mean of 283 faces, paler and made symmetrical: calm next to any skin, and upright or not. */
const FACE = [
  [0x6f5a4e, 0x806759, 0x6f5a4e],
  [0x7b6356, 0x987969, 0x7b6356],
  [0x7f6659, 0x947364, 0x7f6659],
  [0x715c50, 0x7c6254, 0x715c50],
] as const;

/** Greys of a plate. */
const PLATE = [
  [0x868688, 0x9a9a9c, 0x949496, 0x88888a],
  [0x8a8a8c, 0x969698, 0x9e9ea0, 0x848486],
] as const;

/**
 * Averaged cells: 91 px for persons, 61 px for vehicles. Faces and plates have fixed cells: even one
 * mean colour of a face names it several times as often as chance does (decision 49).
 *
 * The horizontal padding of faces is 0.17: with 0.15, 1.0 % of the pixels of detected faces stayed visible in the set
 * `faces`; with 0.17, 0.7 % (`npm run eval`).
 *
 * `minReliablePx` is 0 for vehicles, of which more false than true ones would pass.
 */
export const CLASS_RULES: Readonly<Record<ObjectClass, ClassRules>> = {
  face: {
    strength: {
      ratio: 0.75,
      padding: [0.17, 0.15],
      feather: 0.15,
      cells: { fixed: FACE },
    },
    shape: 'ellipse',
    overlap: { iou: 0.35, inside: 0.8 },
    colour: { page: '#ffb224', debug: [255, 176, 0] },
  },
  'license-plate': {
    strength: {
      padding: [0.3, 0.2],
      feather: 0.15,
      cells: { fixed: PLATE },
    },
    shape: 'plate',
    overlap: { iou: 0.3, inside: 0.7, minPart: MIN_PLATE_PART },
    isNeverNested: true,
    colour: { page: '#45c4ff', debug: [0, 200, 255] },
  },
  person: {
    strength: {
      padding: [0.02, 0.02],
      feather: 0.03,
      cells: { blur: { share: 0.35, of: 'shorter', minPx: 91 }, pixelate: 6 },
    },
    shape: 'ellipse',
    overlap: { iou: 0.5, inside: 0.95, minPart: MIN_PART },
    fusion: { minReliablePx: 10 },
    mask: { reach: 0.06, minFilled: 0.2, minShareOfCore: 0, fillsHoles: false },
    colour: { page: '#ff8fc7', debug: [255, 64, 160] },
  },
  vehicle: {
    strength: {
      padding: [0.03, 0.03],
      feather: 0.02,
      cells: { blur: { share: 0.35, of: 'shorter', minPx: 61 }, pixelate: 8 },
    },
    shape: 'superellipse',
    overlap: { iou: 0.5, inside: 0.92, minPart: MIN_PART },
    fusion: { minReliablePx: 0 },
    mask: { reach: 0.08, minFilled: 0.35, minShareOfCore: 0.95, fillsHoles: true },
    colour: { page: '#b4e053', debug: [80, 220, 100] },
  },
  text: {
    strength: {
      padding: [0.2, 0.1],
      feather: 0.1,
      cells: { blur: { share: 3, of: 'shorter', minPx: 24 }, pixelate: 1 / 3 },
    },
    shape: 'line',
    overlap: { iou: 0.5, inside: 0.9 },
    colour: { page: '#d0b3ff', debug: [250, 240, 60] },
  },
};

/** Greys of an area that is always hidden: what it shows is unknown, so nothing of its pixels remains. */
export const AREA_CELLS: FixedCells = { fixed: PLATE };

/** Classes whose objects are hidden by masks. */
export const MASKED_CLASSES = OBJECT_CLASSES.filter((name) => CLASS_RULES[name].mask);
