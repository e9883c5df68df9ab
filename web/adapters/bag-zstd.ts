import wasmUrl from '@foxglove/wasm-zstd/dist/wasm-zstd.wasm?url';
import type { LoadZstd } from '#shared/media/mcap/chunk-coding';

/** What the module exports. The package's own script, which gives them names, looks for its file as Node does. */
interface Exports {
  readonly c: WebAssembly.Memory;
  /** Starts it. */
  d(): void;
  /** Allocates bytes. @returns their place */
  f(sizeBytes: number): number;
  /** Frees them. */
  g(place: number): void;
  /** The most bytes that so many can become. */
  h(sizeBytes: number): number;
  /** Compresses. @returns the number of bytes written; -1: it failed */
  i(target: number, targetBytes: number, source: number, sourceBytes: number, level: number): number;
  /** Decompresses. @returns as `i` */
  j(target: number, targetBytes: number, source: number, sourceBytes: number): number;
}

const PAGE_BYTES = 65_536;
/** The default of the server's package. */
const LEVEL = 3;

const instantiate = async (): Promise<Exports> => {
  const started: { memory?: WebAssembly.Memory } = {};
  const memory = (): WebAssembly.Memory => started.memory!;
  const env = {
    /** Lets the memory grow. @returns whether it did */
    a: (wantedBytes: number): number => {
      const missing = (wantedBytes >>> 0) - memory().buffer.byteLength;
      try {
        memory().grow(Math.ceil(missing / PAGE_BYTES));
        return 1;
      } catch {
        return 0;
      }
    },
    /** Copies within the memory. */
    b: (target: number, source: number, sizeBytes: number): void => {
      new Uint8Array(memory().buffer).copyWithin(
        target >>> 0,
        source >>> 0,
        (source >>> 0) + (sizeBytes >>> 0),
      );
    },
  };
  const bytes = await (await fetch(wasmUrl)).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, { a: env });
  const exported = instance.exports as unknown as Exports;
  started.memory = exported.c;
  exported.d();
  return exported;
};

/** Copies bytes in, runs, and copies the result out. @throws where it fails */
const run = (
  zstd: Exports,
  bytes: Uint8Array,
  targetBytes: number,
  work: (target: number, source: number) => number,
): Uint8Array => {
  const [source, target] = [zstd.f(bytes.length), zstd.f(targetBytes)];
  try {
    if (source === 0 || target === 0) throw new RangeError('out of memory');
    new Uint8Array(zstd.c.buffer).set(bytes, source);
    const written = work(target, source);
    if (written < 0) throw new Error('Zstandard failed');
    return new Uint8Array(zstd.c.buffer).slice(target, target + written);
  } finally {
    zstd.g(source);
    zstd.g(target);
  }
};

let loading: Promise<Exports> | undefined;

/** Zstandard for chunks of bags. */
export const loadZstd: LoadZstd = async () => {
  const zstd = await (loading ??= instantiate());
  return {
    pack: (bytes) => {
      const maxBytes = zstd.h(bytes.length);
      return run(zstd, bytes, maxBytes, (target, source) =>
        zstd.i(target, maxBytes, source, bytes.length, LEVEL),
      );
    },
    unpack: (packed, sizeBytes) =>
      run(zstd, packed, sizeBytes, (target, source) => zstd.j(target, sizeBytes, source, packed.length)),
  };
};
