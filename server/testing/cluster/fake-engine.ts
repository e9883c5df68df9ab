import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeMethods } from '#shared/testing/fake-engine';
import { createFakeVideoMethods } from '#shared/testing/fake-video-engine';
import { concatBytes } from '#shared/testing/image-bytes';
import { createLeaseServer } from '../../workers/serve-lease';
import { FAKE_WORK_MS, SLOW_EDIT_MS, workMsOf } from './fake-images';

const usualMs = Number(Reflect.get(globalThis, FAKE_WORK_MS) ?? 0);

const engine = {
  ...createFakeMethods(({ bytes }, signal) => sleep(workMsOf(bytes) ?? usualMs, undefined, { signal })),
  ...createFakeVideoMethods({
    frameCount: 10,
    during: (_job, signal) => sleep(usualMs, undefined, { signal }),
  }),
};

/**
 * A thread with an engine without models. It sleeps, and its results depend on the uploads only.
 *
 * @public built as the engine's module: see `build-cluster.ts`
 */
export default createLeaseServer(async () => ({
  ...engine,
  renderVideo: async (job, files, onProgress, signal) => {
    if (job.edits.areas?.length) await sleep(SLOW_EDIT_MS, undefined, { signal });
    return engine.renderVideo(job, files, onProgress, signal);
  },
  anonymiseImage: async (job, onProgress, signal) => {
    const result = await engine.anonymiseImage(job, onProgress, signal);
    const digest = createHash('sha256').update(job.bytes).digest();
    return { ...result, anonymised: result.anonymised && concatBytes(result.anonymised, digest) };
  },
}));
