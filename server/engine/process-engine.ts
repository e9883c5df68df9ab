import type { Engine, VideoSupport } from '#shared/ports/engine';
import { methodsBy, type RemoteCall } from '#shared/threads/calls';
import { whileReading } from '../adapters/disk-refusal';
import { checkImageResult, checkHeader } from './check-results';
import { collectFiles } from './collect-files';
import { createRetrying } from './retrying';
import { ANONYMISED, RENDERED, type OfferedSink, type ServedProcess } from './served-process';

/** Methods that take moments: they do not wait for the work of tasks. */
type Light = Pick<Engine, 'inspectImage' | 'renderImage' | 'renderMask'>;

const NEVER = new AbortController().signal;

/** Inspections and renderings in an engine process. Each is tried again on its own if the process ends. */
const lightWorkInProcess = (remote: RemoteCall): Light => {
  const retrying = createRetrying();
  const engine = methodsBy<ServedProcess>(remote);
  const tried = <T>(work: () => Promise<T>, signal = NEVER): Promise<T> =>
    whileReading(() => retrying(work, signal));
  const rendered = (render: (sink: OfferedSink) => Promise<void>, signal: AbortSignal): Promise<Uint8Array> =>
    tried(async () => {
      const files = collectFiles([RENDERED]);
      await render(files);
      return files.get(RENDERED);
    }, signal);
  return {
    inspectImage: async (...args) => checkHeader(await tried(() => engine.inspectImage(...args))),
    renderImage: (job, signal) => rendered(({ write }) => engine.renderImage(job, { write }, signal), signal),
    renderMask: (plan, kind, scalePercent, signal) =>
      rendered(({ write }) => engine.renderMask({ write }, plan, kind, scalePercent, signal), signal),
  };
};

/**
 * An engine in processes of its own.
 *
 * They read images from their paths. Errors of their disk are those of this process.
 *
 * @param tasks calls the process that works on tasks @param requests calls the one for inspections and renderings
 */
export const createProcessEngine = (
  tasks: RemoteCall,
  requests: RemoteCall,
  support: VideoSupport,
): Engine => {
  const call: RemoteCall = (method, args) => whileReading(() => tasks(method, args));
  const engine = methodsBy<ServedProcess>(call);
  return methodsBy<Engine>(call, {
    ...support,
    ...lightWorkInProcess(requests),
    retrying: createRetrying(),
    anonymiseImage: async (job, ...rest) => {
      const { find, write } = collectFiles([ANONYMISED, ...job.masks]);
      const result = checkImageResult(await engine.anonymiseImage(job, { write }, ...rest));
      const masks = job.masks.map((kind) => [kind, find(kind)] as const).filter(([, mask]) => mask);
      return { ...result, anonymised: find(ANONYMISED) ?? null, masks: Object.fromEntries(masks) };
    },
  });
};
