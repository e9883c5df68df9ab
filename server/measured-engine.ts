import type { Engine, ImageResult } from '#shared/ports/engine';

/** The same engine; `onDone` sees each picture's result on its way. */
export const measuredEngine = (engine: Engine, onDone: (result: ImageResult) => void): Engine => ({
  ...engine,
  anonymiseImage: async (...job) => {
    const result = await engine.anonymiseImage(...job);
    onDone(result);
    return result;
  },
});
