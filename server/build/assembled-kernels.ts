import type { Plugin } from 'vite';
import { assembleKernels } from '../../shared/engine/kernels/assemble';

const ASSEMBLER = /\/shared\/engine\/kernels\/assemble\.ts$/;

/** Puts the assembled kernels in the place of the program that assembles them, which has 60 kB. */
export const assembledKernels = (): Plugin => ({
  name: 'assembled-kernels',
  load: {
    filter: { id: ASSEMBLER },
    // As hexadecimal digits, which gzip makes smaller than numbers.
    handler: () =>
      `export const assembleKernels = () => Uint8Array.from('${Buffer.from(assembleKernels()).toString('hex')}'.match(/../g), (byte) => parseInt(byte, 16));`,
  },
});
