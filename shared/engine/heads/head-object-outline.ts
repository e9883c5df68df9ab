import type { Head } from './head';

/** Masks of one object in a box; read by `masks/outline-map.ts`. */
export const objectOutline: Head<'object-outline'> = { name: 'object-outline', role: 'segmenter' };
