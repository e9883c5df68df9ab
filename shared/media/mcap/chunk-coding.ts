import { UnreadableFile } from '../../domain/failure';
import { crc32 } from '../../engine/formats/bytes';
import { damagedBag } from './fields';
import { packLz4, unpackLz4 } from './lz4';
import type { PackedChunk } from './records';

/** Compresses and decompresses chunks in one way. */
export interface ChunkCoder {
  pack(bytes: Uint8Array): Uint8Array;
  /** @param sizeBytes of the result. @throws where it has another size, or the bytes are damaged */
  unpack(packed: Uint8Array, sizeBytes: number): Uint8Array;
}

/** Loads what compresses with Zstandard: host code, which is loaded with the first such chunk. */
export type LoadZstd = () => Promise<ChunkCoder>;

/** Largest chunk, packed or not, and largest other record: a file that claims more would fill the memory. */
export const MAX_CHUNK_BYTES = 256 * 1024 ** 2;

/** @throws UnreadableFile */
export const requireBounded = (what: string, bytes: number): void => {
  if (bytes <= MAX_CHUNK_BYTES) return;
  throw new UnreadableFile(
    `The bag claims a ${what} of ${bytes} bytes; the limit is ${MAX_CHUNK_BYTES} bytes.`,
  );
};

const PLAIN: ChunkCoder = { pack: (bytes) => bytes, unpack: (packed) => packed };
const LZ4: ChunkCoder = { pack: packLz4, unpack: unpackLz4 };

/** How chunks are compressed. */
export interface ChunkCoding {
  unpack(chunk: PackedChunk): Promise<Uint8Array>;
  pack(bytes: Uint8Array, compression: string): Promise<Uint8Array>;
}

/** @param loadZstd undefined where the host has none */
export const createChunkCoding = (loadZstd: LoadZstd | undefined): ChunkCoding => {
  const coderOf = async (compression: string): Promise<ChunkCoder> => {
    if (compression === '') return PLAIN;
    if (compression === 'lz4') return LZ4;
    if (compression === 'zstd' && loadZstd) return loadZstd();
    const known = loadZstd ? 'lz4 and zstd are' : 'only lz4 is';
    throw new UnreadableFile(
      `The bag is compressed with ${JSON.stringify(compression)}; ${known} read here.`,
    );
  };
  return {
    unpack: async ({ sizeBytes, crc, compression, packed }) => {
      requireBounded('chunk', sizeBytes);
      const coder = await coderOf(compression);
      let bytes: Uint8Array;
      try {
        bytes = coder.unpack(packed, sizeBytes);
      } catch (error) {
        throw error instanceof UnreadableFile ? error : damagedBag('a chunk cannot be decompressed');
      }
      if (bytes.length !== sizeBytes) throw damagedBag('a chunk has another size than it states');
      if (crc !== 0 && crc32(bytes) !== crc) throw damagedBag('the checksum of a chunk is wrong');
      return bytes;
    },
    pack: async (bytes, compression) => (await coderOf(compression)).pack(bytes),
  };
};
