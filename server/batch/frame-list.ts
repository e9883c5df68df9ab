import { frameMetadata } from '#shared/api/handlers/metadata';
import type { FrameReport } from '#shared/domain/video-report';
import type { UnfinishedResult } from './results';

/** A JSON array in a file, one element per line. Frames are written as they arrive. */
export interface FrameList {
  add(frames: readonly FrameReport[]): Promise<void>;
  end(): Promise<void>;
}

export const createFrameList = (file: UnfinishedResult): FrameList => {
  let position = 0;
  let separator = '[\n';
  const append = async (text: string): Promise<void> => {
    const bytes = new TextEncoder().encode(text);
    await file.write(position, bytes);
    position += bytes.byteLength;
  };
  return {
    add: async (frames) => {
      const lines = frames.map((frame) => JSON.stringify(frameMetadata(frame, false)));
      await append(separator + lines.join(',\n'));
      separator = ',\n';
    },
    end: () => append(position === 0 ? '[]\n' : '\n]\n'),
  };
};
