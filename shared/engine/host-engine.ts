import type { Engine, EngineMethods, ImageMethodName, Inspector } from '../ports/engine';
import type { ByteSource } from '../ports/video';
import { readImageHeader } from './formats/read-header';

const bytesOf = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.sizeBytes);

/** Inspects files in the thread of the caller. */
export const inspector: Inspector = {
  inspectImage: async (source, limits) => readImageHeader(await bytesOf(source), limits),
};

/** Reads images where their files are, because a thread works on bytes. */
export const readingImages = (
  engine: Pick<EngineMethods, ImageMethodName>,
): Pick<Engine, ImageMethodName> => ({
  anonymiseImage: async ({ source, ...job }, ...rest) =>
    engine.anonymiseImage({ ...job, bytes: await bytesOf(source) }, ...rest),
  outlineObjects: async (source, ...rest) => engine.outlineObjects(await bytesOf(source), ...rest),
  embedSample: async (source, ...rest) => engine.embedSample(await bytesOf(source), ...rest),
  matchFaces: async (source, ...rest) => engine.matchFaces(await bytesOf(source), ...rest),
  renderImage: async ({ source, ...job }, signal) =>
    engine.renderImage({ ...job, bytes: await bytesOf(source) }, signal),
});
