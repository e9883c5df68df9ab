import type { Head } from './head';

/** The mask of one object in a box; `masks/outline-map.ts` decodes it. */
export const objectOutline: Head<'object-outline'> = { name: 'object-outline', role: 'segmenter' };
