import { Module, memory, type JSFunction } from 'wasmati';
import { blendDown, halveRows, scaleAcross } from './scale-kernels';
import { chromaOfRow, pixelsOfRow, planesOfRows } from './yuv-kernels';

const KERNELS = { scaleAcross, blendDown, halveRows, chromaOfRow, pixelsOfRow, planesOfRows };

/** What an instance of the kernels' module exports. */
export type KernelExports = {
  readonly [Name in keyof typeof KERNELS]: JSFunction<(typeof KERNELS)[Name]>;
} & {
  readonly memory: WebAssembly.Memory;
};

/** @returns a module of WebAssembly, 3 kB. Builds contain it instead of this file: `server/build/assembled-kernels.ts` */
export const assembleKernels = (): Uint8Array =>
  Module({ exports: { ...KERNELS, memory: memory({ min: 1 }) } }).toBytes();
