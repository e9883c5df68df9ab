import type { Head } from './head';

/** The mask of one person in a square input; `masks/segment-object.ts` decodes it. */
export const poseMask: Head<'pose-mask'> = { name: 'pose-mask', role: 'segmenter' };
