import { readFileSync } from 'node:fs';

const FOLDER = new URL('./hdr-files/', import.meta.url);

/** A file of `hdr-files/`; see the README there. */
export const hdrFile = (name: string): Uint8Array => Uint8Array.from(readFileSync(new URL(name, FOLDER)));

type Signal = readonly [red: number, green: number, blue: number];

/** Signals 0..1 of the patches that the files show, row by row. */
export const HDR_CHART = JSON.parse(readFileSync(new URL('chart.json', FOLDER), 'utf8')) as readonly Signal[];

const COLUMNS = 8;
const PATCH_PX = 16;
export const HDR_SIZE = {
  width: COLUMNS * PATCH_PX,
  height: (HDR_CHART.length / COLUMNS) * PATCH_PX,
} as const;

/** The middle of a patch. */
export const patchAt = (patch: number): readonly [x: number, y: number] => [
  ((patch % COLUMNS) + 0.5) * PATCH_PX,
  (Math.floor(patch / COLUMNS) + 0.5) * PATCH_PX,
];
