import type { Engine, ImageResult } from '#shared/ports/engine';

/** The same engine with a listener. @param onDone called with the result of each image */
export const measuredEngine = (engine: Engine, onDone: (result: ImageResult) => void): Engine => ({
  ...engine,
  anonymiseImage: async (...job) => {
    const result = await engine.anonymiseImage(...job);
    onDone(result);
    return result;
  },
});
