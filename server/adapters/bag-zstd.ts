import { createRequire } from 'node:module';
import type { LoadZstd } from '#shared/media/mcap/chunk-coding';

/** What the package exports: a module of CommonJS that finds its WebAssembly next to itself. */
interface WasmZstd {
  readonly isLoaded: Promise<unknown>;
  compress(bytes: Uint8Array): Uint8Array;
  decompress(packed: Uint8Array, sizeBytes: number): Uint8Array;
}

/** Zstandard for chunks of bags. WebAssembly, because Node has it only from version 22.15 on. */
export const loadZstd: LoadZstd = async () => {
  const load = createRequire(import.meta.url);
  const { compress, decompress, isLoaded } = load('@foxglove/wasm-zstd') as WasmZstd;
  await isLoaded;
  return { pack: (bytes) => compress(bytes), unpack: decompress };
};
