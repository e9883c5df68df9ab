import { McapIndexedReader, McapWriter } from '@mcap/core';
import { createMemoryTarget } from '#shared/testing/memory-target';
import { loadZstd } from '../adapters/bag-zstd';

/** A writer of the library of the format's authors, and the bytes that it has written. */
export const createMcapWriter = async (
  compression: 'zstd' | 'none' | 'unchunked',
  chunkSize: number,
): Promise<{ readonly writer: McapWriter; bytes(): Uint8Array }> => {
  const { pack } = await loadZstd();
  const target = createMemoryTarget();
  let position = 0;
  const writer = new McapWriter({
    writable: {
      position: () => BigInt(position),
      write: async (bytes) => {
        await target.write(position, bytes);
        position += bytes.byteLength;
      },
    },
    useChunks: compression !== 'unchunked',
    chunkSize,
    ...(compression === 'zstd' && {
      compressChunk: (bytes: Uint8Array) => ({ compression: 'zstd', compressedData: pack(bytes) }),
    }),
  });
  return { writer, bytes: target.bytes };
};

/** A reader of that library, which finds messages by the index. */
export const openByIndex = async (bytes: Uint8Array): Promise<McapIndexedReader> => {
  const { unpack } = await loadZstd();
  return McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.slice(Number(offset), Number(offset + size)),
    },
    decompressHandlers: { zstd: (packed, size) => unpack(packed, Number(size)) },
  });
};
