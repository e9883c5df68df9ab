import type { ModelInput } from '../../domain/manifest';
import type { QualityPreset } from '../../domain/options';

/** The scales of the models for some classes. */
export interface ScalePreset {
  /** Maximum number of a model's scales, from the first. */
  readonly maxScales: number;
  /** Factor on the maximum enlargement that the manifest names for a model. */
  readonly enlargement: number;
  /** Large images are also searched in windows of this many px, each scaled to this long side. */
  readonly closeUp?: { readonly tilePx: number; readonly longSide: number };
  /**
   * Further passes over images, not frames, beside the model's own scales, for detectors whose passes confirm each
   * other.
   */
  readonly further?: readonly FurtherPass[];
}

/** The scales of a cascade. */
export interface CascadePreset {
  /** Bounds of the first pass's long side, in px; between them it is the tile's own. */
  readonly coarse: { readonly min: number; readonly max: number };
  /** The first passes over tiles with a longer side than `fromSide` px: one as a whole, one in windows. */
  readonly large?: { readonly fromSide: number; readonly overview: number; readonly longSide: number };
  /** How much finer each next pass is than the one before. */
  readonly zooms: readonly number[];
  /** No pass enlarges a tile more than this. */
  readonly maxEnlargement: number;
  /** Finer passes with no more network px than this search the whole tile, not only proposals. */
  readonly maxPxForAll: number;
}

/** One more pass over each tile of an image. */
export interface FurtherPass {
  readonly longSide: number;
  /** It runs only where it enlarges the tile no more than this. */
  readonly maxEnlargement: number;
  /** The network gets the mirror image: a person detected both ways is more often a true one. */
  readonly isMirrored?: true;
  /**
   * It runs in windows with sides of this many network px, which takes less memory. No other pass has to confirm its
   * detections, because most of them are too small for the others.
   */
  readonly windowPx?: number;
}

/** A scale at which text is searched. */
export interface TextScale {
  /** Factor on the long side of a tile … */
  readonly enlargement: number;
  /** … which becomes at most this many px. */
  readonly maxLongSide: number;
}

/** How closely an image or frame is searched. */
export interface SearchPreset {
  readonly faces: ScalePreset & { readonly cascade: CascadePreset };
  /** Persons, and vehicles that are to be hidden. */
  readonly objects: ScalePreset;
  /** Long sides, in px, for vehicles that are needed only to find their plates. */
  readonly vehicleLongSides: readonly number[];
  /**
   * When faces are searched again at persons without one: only where a person detector runs anyway, or always, so that
   * it runs for this purpose.
   */
  readonly atPersons: 'never' | 'where-found' | 'always';
  /** Whether text is also read closely in frames that are scanned for plates, where plates are found without text. */
  readonly readsScannedFrames: boolean;
  /** Whether every frame of a video is searched completely, or most of them quickly. */
  readonly searchesEachFrame: boolean;
  /** Scales of the search for text that is to be hidden, coarse to fine, after the scales of the manifest. */
  readonly text: { readonly images: readonly TextScale[]; readonly frames: readonly TextScale[] };
}

const ALL_SCALES: ScalePreset = { maxScales: Number.POSITIVE_INFINITY, enlargement: 1 };
export const FIRST_SCALE: ScalePreset = { maxScales: 1, enlargement: 1 };

/**
 * Own pixels: text of 8 px and more. In images of 12 MP, larger scales would take longer than all other searches.
 * Enlarged: turned text of 14 px, and text of 8 px with little contrast (`npm run eval:text`).
 */
const OWN_PIXELS: TextScale = { enlargement: 1, maxLongSide: Number.POSITIVE_INFINITY };
const ENLARGED: TextScale = { enlargement: 1.5, maxLongSide: 3840 };
const TWICE: TextScale = { enlargement: 2, maxLongSide: Number.POSITIVE_INFINITY };

/** The meaning of each preset: every difference between them is here. */
const SEARCH_PRESETS = {
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
    text: { images: [{ ...OWN_PIXELS, maxLongSide: 2560 }], frames: [{ ...OWN_PIXELS, maxLongSide: 1920 }] },
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
    // For vehicles that are not hidden: one that is missed at this scale has no readable plate.
    vehicleLongSides: [640],
    atPersons: 'where-found',
    readsScannedFrames: false,
    searchesEachFrame: false,
    text: { images: [OWN_PIXELS, ENLARGED], frames: [OWN_PIXELS] },
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
    // They include the scale of `balanced`: with 512 and 1024 px fewer plates were found.
    vehicleLongSides: [640, 1280],
    atPersons: 'always',
    readsScannedFrames: true,
    searchesEachFrame: true,
    text: { images: [OWN_PIXELS, TWICE], frames: [OWN_PIXELS, ENLARGED] },
  },
} as const satisfies Record<QualityPreset, SearchPreset>;

export const presetOf = (quality: QualityPreset): SearchPreset => SEARCH_PRESETS[quality];

/** A model's input, with as many scales as the preset allows. */
export const withPreset = (
  { longSides, maxEnlargement, ...input }: ModelInput,
  { maxScales, enlargement }: ScalePreset,
): ModelInput => ({
  ...input,
  ...(longSides && { longSides: longSides.slice(0, maxScales) }),
  ...(maxEnlargement !== undefined && { maxEnlargement: maxEnlargement * enlargement }),
});
