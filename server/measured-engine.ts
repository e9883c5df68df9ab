import type { Engine, ImageResult } from '#shared/ports/engine';

/** The same engine with a listener. @param onDone called with the result of each image */
export const measuredEngine = (engine: Engine, onDone: (result: ImageResult) => void): Engine =>
  // Not spread: an engine in a process does not list its methods.
  Object.assign(Object.create(engine) as Engine, {
    anonymiseImage: async (...job: Parameters<Engine['anonymiseImage']>) => {
      const result = await engine.anonymiseImage(...job);
      onDone(result);
      return result;
    },
  });
