import type { ModelInput } from '../../domain/manifest';
import { DEFAULT_QUALITY, type QualityPreset } from '../../domain/options';

/** At which scales the models of some classes look. */
export interface ScalePreset {
  /** So many of a model's scales at most, from the first. */
  readonly maxScales: number;
  /** How much further than the model usually gains from a picture is enlarged for it. */
  readonly enlargement: number;
  /** Large pictures are also looked at in windows of so many px, each scaled to this long side. */
  readonly closeUp?: { readonly tilePx: number; readonly longSide: number };
  /** Looks at pictures, not at frames, beside the model's own scales, for detectors whose looks confirm each other. */
  readonly further?: readonly FurtherPass[];
}

/** The scales of a detector that looks from coarse to fine. */
export interface CascadeEffort {
  /** Bounds of the first pass's long side, in px; between them it has the tile's own. */
  readonly coarse: { readonly min: number; readonly max: number };
  /** How tiles with a longer side than `fromSide` px are looked at first: as a whole, and in windows. */
  readonly large?: { readonly fromSide: number; readonly overview: number; readonly longSide: number };
  /** How much finer each next pass is than the one before. */
  readonly zooms: readonly number[];
  /** No pass enlarges a tile more than this. */
  readonly maxEnlargement: number;
  /** Finer passes of no more network px than this see everything, not only what is proposed. */
  readonly maxPxForAll: number;
}

/** One more look at each tile of a picture. */
export interface FurtherPass {
  readonly longSide: number;
  /** It is made where it enlarges the tile no more than so. */
  readonly maxEnlargement: number;
  /** The network is shown the mirror image: what it takes for a person both ways more often is one. */
  readonly isMirrored?: true;
  /**
   * It is made in windows with sides of so many network px, which takes less memory, and no other look has to confirm
   * what they show: most of that is too small for the others.
   */
  readonly windowPx?: number;
}

/** What is done to find objects in a picture or frame, and what is left out. */
export interface SearchEffort {
  readonly faces: ScalePreset & { readonly cascade: CascadeEffort };
  /** Persons, and vehicles that are to be hidden. */
  readonly objects: ScalePreset;
  /** Long sides, in px, at which vehicles are looked for that only carry plates. */
  readonly vehicleLongSides: readonly number[];
  /**
   * When persons whose face was not found are looked at again: where persons are found by a detector that runs for
   * something else, or always, so that it runs for that alone.
   */
  readonly atPersons: 'never' | 'where-found' | 'always';
  /** Whether text is read closely where plates are found without, too: in frames that are scanned for them. */
  readonly readsScannedFrames: boolean;
  /** Whether each frame of a video is searched as a whole, or most of them quickly. */
  readonly searchesEachFrame: boolean;
}

const ALL_SCALES: ScalePreset = { maxScales: Number.POSITIVE_INFINITY, enlargement: 1 };
export const FIRST_SCALE: ScalePreset = { maxScales: 1, enlargement: 1 };

/** What each preset means: all that makes one slower than another stands here. */
const SEARCH_EFFORTS = {
  fast: {
    faces: {
      ...FIRST_SCALE,
      cascade: { coarse: { min: 640, max: 768 }, zooms: [2], maxEnlargement: 2, maxPxForAll: 0 },
    },
    objects: FIRST_SCALE,
    vehicleLongSides: [512],
    atPersons: 'never',
    readsScannedFrames: false,
    searchesEachFrame: false,
  },
  balanced: {
    faces: {
      ...ALL_SCALES,
      cascade: {
        coarse: { min: 640, max: 1024 },
        large: { fromSide: 2048, overview: 768, longSide: 1536 },
        zooms: [2, 2],
        maxEnlargement: 2,
        maxPxForAll: 0,
      },
    },
    objects: ALL_SCALES,
    // Vehicles that nobody wants hidden: one that is missed at this scale shows no plate that can be read.
    vehicleLongSides: [640],
    atPersons: 'where-found',
    readsScannedFrames: false,
    searchesEachFrame: false,
  },
  thorough: {
    faces: {
      ...ALL_SCALES,
      enlargement: 1.5,
      closeUp: { tilePx: 1360, longSide: 2048 },
      cascade: {
        coarse: { min: 768, max: 768 },
        large: { fromSide: 2048, overview: 1024, longSide: 2048 },
        zooms: [2, 2],
        maxEnlargement: 3,
        maxPxForAll: 1536 * 1152,
      },
    },
    objects: {
      ...ALL_SCALES,
      enlargement: 1.5,
      further: [
        { longSide: 640, maxEnlargement: 2, isMirrored: true },
        { longSide: 1280, maxEnlargement: 2 },
        // People far away in photos of 4 MP and more.
        { longSide: 2048, maxEnlargement: 1, windowPx: 1024 },
      ],
    },
    // The scale of `balanced` is one of them: with 512 and 1024 px fewer plates were found than by it.
    vehicleLongSides: [640, 1280],
    atPersons: 'always',
    readsScannedFrames: true,
    searchesEachFrame: true,
  },
} as const satisfies Record<QualityPreset, SearchEffort>;

/** @param quality the usual one where it is not named */
export const presetOf = (quality: QualityPreset = DEFAULT_QUALITY): SearchEffort => SEARCH_EFFORTS[quality];

/** A model's scales, as many as the effort allows. */
export const withPreset = (
  { longSides, maxEnlargement, ...input }: ModelInput,
  { maxScales, enlargement }: ScalePreset,
): ModelInput => ({
  ...input,
  ...(longSides && { longSides: longSides.slice(0, maxScales) }),
  ...(maxEnlargement !== undefined && { maxEnlargement: maxEnlargement * enlargement }),
});
