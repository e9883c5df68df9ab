import type { EngineMethods } from '../../ports/engine';
import { filesBehind, type OfferedFiles } from './offered-files';
import { transferring } from './sent-values';

/** Methods that use files of a video. */
type VideoMethodName = 'anonymiseVideo' | 'renderVideo' | 'surveyVideo' | 'matchTracks';

type VideoMethod<Name extends VideoMethodName> =
  Parameters<EngineMethods[Name]> extends [infer Job, unknown, ...infer Rest]
    ? (job: Job, files: OfferedFiles, ...rest: Rest) => ReturnType<EngineMethods[Name]>
    : never;

/** The engine's methods as a worker serves them: files of a video are offered by the host. */
export interface ServedEngine extends Omit<EngineMethods, VideoMethodName> {
  anonymiseVideo: VideoMethod<'anonymiseVideo'>;
  surveyVideo: VideoMethod<'surveyVideo'>;
  renderVideo: VideoMethod<'renderVideo'>;
  matchTracks: VideoMethod<'matchTracks'>;
}

/**
 * The methods with which a worker serves an engine.
 *
 * @param open called at each call; opens the engine at the first one
 * @param movesMemory whether results and written bytes are transferred instead of copied. In Node, a thread that hands
 * over memory for good works more slowly from then on (see `createInferenceLanes`)
 */
export const serveEngine = (open: () => Promise<EngineMethods>, movesMemory: boolean): ServedEngine => {
  const moved = <T extends object>(value: T, ...views: readonly (Uint8Array | null)[]): T =>
    movesMemory
      ? transferring(
          value,
          views.filter((view) => view !== null),
        )
      : value;
  const movedBytes = (bytes: Uint8Array): Uint8Array => moved(bytes, bytes);
  return {
    load: async (...args) => (await open()).load(...args),
    anonymiseImage: async (...args) => {
      const result = await (await open()).anonymiseImage(...args);
      return moved(result, result.anonymised, ...Object.values(result.masks));
    },
    anonymiseVideo: async (job, files, ...rest) =>
      (await open()).anonymiseVideo(job, filesBehind(files, movesMemory), ...rest),
    surveyVideo: async (limits, files, signal) =>
      (await open()).surveyVideo(limits, filesBehind(files, movesMemory), signal),
    renderVideo: async (job, files, ...rest) =>
      (await open()).renderVideo(job, filesBehind(files, movesMemory), ...rest),
    outlineObjects: async (...args) => (await open()).outlineObjects(...args),
    embedSample: async (...args) => (await open()).embedSample(...args),
    matchFaces: async (...args) => (await open()).matchFaces(...args),
    matchTracks: async (job, files, signal) =>
      (await open()).matchTracks(job, filesBehind(files, movesMemory), signal),
    renderImage: async (...args) => movedBytes(await (await open()).renderImage(...args)),
    renderMask: async (...args) => movedBytes(await (await open()).renderMask(...args)),
  };
};
