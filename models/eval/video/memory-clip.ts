import { LIMITS } from '#shared/domain/limits';
import type { ByteSource, ByteTarget, VideoReader } from '#shared/ports/video';
import { videoCodec } from '../../../server/adapters/video-backend';

export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.byteLength,
  read: async (start, end) => bytes.slice(start, end),
});

export const openClip = (bytes: Uint8Array): Promise<VideoReader> => videoCodec.open(sourceOf(bytes), LIMITS);

/** Collects a file that is written in pieces at any position, because headers are written last. */
export interface MemoryTarget extends ByteTarget {
  /** The complete file. */
  bytes(): Uint8Array;
}

export const createMemoryTarget = (): MemoryTarget => {
  const pieces: (readonly [number, Uint8Array])[] = [];
  return {
    write: async (at, piece) => void pieces.push([at, piece.slice()]),
    bytes: () => {
      const result = new Uint8Array(Math.max(...pieces.map(([at, piece]) => at + piece.byteLength)));
      for (const [at, piece] of pieces) result.set(piece, at);
      return result;
    },
  };
};
