import { readFileSync } from 'node:fs';

const FOLDER = new URL('./hdr-files/', import.meta.url);

/** A file of `hdr-files/`; see the README there. */
export const hdrFile = (name: string): Uint8Array => Uint8Array.from(readFileSync(new URL(name, FOLDER)));
