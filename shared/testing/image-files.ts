import { readFileSync } from 'node:fs';

const FOLDER = new URL('./image-files/', import.meta.url);

/** A file of `image-files/`; see the README there. */
export const imageFile = (name: string): Uint8Array => Uint8Array.from(readFileSync(new URL(name, FOLDER)));

/** Of the ramps that the files show. */
export const RAMP_SIZE = { width: 48, height: 32 } as const;

/** The ramps' levels at a pixel. */
export const rampAt = (x: number, y: number): readonly [number, number, number] => [
  Math.floor((x * 255) / RAMP_SIZE.width),
  Math.floor((y * 255) / RAMP_SIZE.height),
  128,
];
