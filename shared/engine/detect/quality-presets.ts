import type { ModelInput } from '../../domain/manifest';
import type { QualityPreset } from '../../domain/options';

/** The scales of a cascade. */
export interface CascadePreset {
  /** Bounds of the first pass's long side, in px; between them it is the tile's own. */
  readonly coarse: { readonly min: number; readonly max: number };
  /** The first passes over tiles with a longer side than `fromSide` px: one as a whole, one in windows. */
  readonly large?: { readonly fromSide: number; readonly overview: number; readonly longSide: number };
  /** How much finer each next pass is than the one before. */
  readonly zooms: readonly number[];
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
  /** Maximum number of a model's scales, from the first. */
  readonly maxScales: number;
  /** Of a face detector that runs as a cascade. */
  readonly cascade: CascadePreset;
  /** Long side, in px, for vehicles that are needed only to find their plates. */
  readonly vehicleLongSide: number;
  /** Whether faces are searched again at persons without one, where a person detector runs anyway. */
  readonly isFaceSearchedAtPersons: boolean;
  /** Scales of the search for text that is to be hidden, coarse to fine, after the scales of the manifest. */
  readonly text: { readonly images: readonly TextScale[]; readonly frames: readonly TextScale[] };
}

/**
 * Own pixels: text of 8 px and more. In images of 12 MP, larger scales would take longer than all other searches.
 * Enlarged: turned text of 14 px, and text of 8 px with little contrast (`npm run eval:text`).
 */
const OWN_PIXELS: TextScale = { enlargement: 1, maxLongSide: Number.POSITIVE_INFINITY };
const ENLARGED: TextScale = { enlargement: 1.5, maxLongSide: 3840 };

/** The meaning of each preset: every difference between them is here. */
const FAST: SearchPreset = {
  maxScales: 1,
  cascade: { coarse: { min: 640, max: 768 }, zooms: [2] },
  vehicleLongSide: 512,
  isFaceSearchedAtPersons: false,
  text: { images: [{ ...OWN_PIXELS, maxLongSide: 2560 }], frames: [{ ...OWN_PIXELS, maxLongSide: 1920 }] },
};
const BALANCED: SearchPreset = {
  maxScales: Number.POSITIVE_INFINITY,
  cascade: {
    coarse: { min: 640, max: 1024 },
    large: { fromSide: 2048, overview: 768, longSide: 1536 },
    zooms: [2, 2],
  },
  // For vehicles that are not hidden: one that is missed at this scale has no readable plate.
  vehicleLongSide: 640,
  isFaceSearchedAtPersons: true,
  text: { images: [OWN_PIXELS, ENLARGED], frames: [OWN_PIXELS] },
};

/**
 * The search of a preset. `thorough` searches as `balanced` does: its further passes found nothing more (decision 20).
 * It still chooses among models of packs (`chooseModels`).
 */
export const presetOf = (quality: QualityPreset): SearchPreset => (quality === 'fast' ? FAST : BALANCED);

/** A model's input with its first scales alone. */
export const withScales = ({ longSides, ...input }: ModelInput, maxScales: number): ModelInput => ({
  ...input,
  ...(longSides && { longSides: longSides.slice(0, maxScales) }),
});
