import type { Head } from './head';

/** The mask of one person who fills the input; `masks/segment-object.ts` decodes it. */
export const selfieMask: Head<'selfie-mask'> = { name: 'selfie-mask', role: 'segmenter' };
