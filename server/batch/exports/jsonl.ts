import type { ExportWriter } from './exported-frame';

/** One JSON object per line: an image, or a frame of a video. */
export const createJsonlWriter = (): ExportWriter => ({
  add: (frame) => `${JSON.stringify(frame)}\n`,
  end: () => [],
});
