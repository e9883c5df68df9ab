import type { HidingMethod } from '#shared/domain/options';

/** In display order. */
export const HIDING_METHODS = ['blur', 'pixelate', 'blacken'] as const satisfies readonly HidingMethod[];
