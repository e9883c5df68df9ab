import type { Head } from './head';

/** A mask of one person in a square; read by `masks/segment-object.ts`. */
export const poseMask: Head<'pose-mask'> = { name: 'pose-mask', role: 'segmenter' };
