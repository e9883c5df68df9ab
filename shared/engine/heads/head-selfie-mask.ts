import type { Head } from './head';

/** A mask of one person that fills the input; read by `masks/segment-object.ts`. */
export const selfieMask: Head<'selfie-mask'> = { name: 'selfie-mask', role: 'segmenter' };
