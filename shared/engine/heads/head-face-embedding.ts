import type { Head } from './head';

/** The embedding of the face that fills the input; `subjects/embed-faces.ts` reads it. */
export const faceEmbedding: Head<'face-embedding'> = { name: 'face-embedding', role: 'face-recogniser' };
