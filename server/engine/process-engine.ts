import { withOffer } from '#shared/engine/worker/offered-files';
import type { RemoteCall } from '#shared/engine/worker/connection';
import { offering } from '#shared/engine/worker/sent-values';
import type { Engine, VideoSupport } from '#shared/ports/engine';
import type { ByteSource } from '#shared/ports/video';
import { whileReading } from '../adapters/disk-refusal';
import { checkImageResult, checkInspection } from './check-results';
import { collectFiles, type CollectedFiles } from './collect-files';
import { createRetrying } from './retrying';
import { ANONYMISED, RENDERED, type OfferedSource, type ServedProcess } from './served-process';

const offerSource = ({ sizeBytes, handle, read }: ByteSource): OfferedSource =>
  offering({ sizeBytes, handle, read });

/** Offers an image, and collects the files of its result. */
const offerFiles = ({ sizeBytes, handle, read }: ByteSource, { write }: CollectedFiles) =>
  offering({ sizeBytes, handle, read, write });

/** Methods for images that are worked on by one thread after another. */
type Work = Omit<Engine, 'inspectImage' | 'inspectVideo' | 'renderImage' | 'renderMask' | keyof VideoSupport>;
/** Methods that take moments: they do not wait for the work of tasks. */
type Light = Pick<Engine, 'inspectImage' | 'inspectVideo' | 'renderImage' | 'renderMask'>;

/**
 * The work of tasks in an engine process.
 *
 * The process reads images from their paths. Errors of its disk are those of this one.
 */
export const workInProcess = (remote: RemoteCall<ServedProcess>): Work => {
  const call: RemoteCall<ServedProcess> = (method, ...args) => whileReading(() => remote(method, ...args));
  return {
    retrying: createRetrying(),
    load: (...args) => call('load', ...args),
    anonymiseImage: async ({ source, ...job }, onProgress, signal) => {
      const files = collectFiles([ANONYMISED, ...job.masks]);
      const sent = await call('anonymiseImage', job, offerFiles(source, files), onProgress, signal);
      const masks = Object.fromEntries(
        job.masks.flatMap((kind) => {
          const mask = files.find(kind);
          return mask ? [[kind, mask]] : [];
        }),
      );
      return { ...checkImageResult(sent), anonymised: files.find(ANONYMISED) ?? null, masks };
    },
    outlineObjects: (source, ...rest) => call('outlineObjects', offerSource(source), ...rest),
    embedSample: (source, ...rest) => call('embedSample', offerSource(source), ...rest),
    matchFaces: (source, ...rest) => call('matchFaces', offerSource(source), ...rest),
    anonymiseVideo: (job, files, ...rest) =>
      withOffer(files, (offered) => call('anonymiseVideo', job, offered, ...rest)),
    surveyVideo: (limits, files, signal) =>
      withOffer(files, (offered) => call('surveyVideo', limits, offered, signal)),
    renderVideo: (job, files, ...rest) =>
      withOffer(files, (offered) => call('renderVideo', job, offered, ...rest)),
    matchTracks: (job, files, signal) =>
      withOffer(files, (offered) => call('matchTracks', job, offered, signal)),
  };
};

const NEVER = new AbortController().signal;

/** Inspections and renderings in an engine process. Each is tried again on its own if the process ends. */
export const lightWorkInProcess = (remote: RemoteCall<ServedProcess>): Light => {
  const retrying = createRetrying();
  const call =
    (signal: AbortSignal): RemoteCall<ServedProcess> =>
    (method, ...args) =>
      whileReading(() => retrying(() => remote(method, ...args), signal));
  return {
    inspectImage: async (source, limits) =>
      checkInspection(await call(NEVER)('inspectImage', offerSource(source), limits)),
    inspectVideo: (source, format) => call(NEVER)('inspectVideo', offerSource(source), format),
    renderImage: ({ source, ...job }, signal) =>
      whileReading(() =>
        retrying(async () => {
          const files = collectFiles([RENDERED]);
          await remote('renderImage', job, offerFiles(source, files), signal);
          return files.get(RENDERED);
        }, signal),
      ),
    renderMask: (plan, kind, scalePercent, signal) =>
      retrying(async () => {
        const files = collectFiles([RENDERED]);
        await remote('renderMask', plan, kind, scalePercent, offering({ write: files.write }), signal);
        return files.get(RENDERED);
      }, signal),
  };
};
