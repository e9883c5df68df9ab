import type { HidingMethod } from '#shared/domain/options';

/** In the order in which they are offered. */
export const HIDING_METHODS = ['blur', 'pixelate', 'blacken'] as const satisfies readonly HidingMethod[];
