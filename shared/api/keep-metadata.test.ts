import { expect, test } from 'vitest';
import type { Engine } from '../ports/host-engine';
import { filePart, get, uploadedId } from '../testing/conformance-steps';
import { createFakeEngine } from '../testing/fake-engine';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { putEdits } from '../testing/conformance-edits';
import { createInProcessHost } from '../testing/in-process-host';
import { RAMP_MP4 } from '../testing/video-files';

test.each([
  [undefined, '', false],
  [true, '', true],
  [undefined, 'keep-metadata=true', true],
  [true, 'keep-metadata=false', false],
])(
  'a service with keepMetadata %s and the query "%s" keeps metadata in all downloads of an image: %s',
  async (keepMetadata, query, keeps) => {
    const fake = createFakeEngine();
    const asked: unknown[] = [];
    const engine: Engine = {
      ...fake,
      anonymiseImage: (job, ...rest) => {
        asked.push(job.keepMetadata);
        return fake.anonymiseImage(job, ...rest);
      },
      renderImage: (job, ...rest) => {
        asked.push(job.keepMetadata);
        return fake.renderImage(job, ...rest);
      },
    };
    const host = createInProcessHost(keepMetadata === undefined ? {} : { keepMetadata }, { engine });
    const id = await uploadedId(host.send, { query });
    await get(host.send, `/v1/file/${id}/anonymised?quality=50`);
    expect(asked).toEqual([keeps, keeps]);
  },
);

test.each([
  [{}, '', {}, [false, false]],
  [{ keepMetadata: true }, '', {}, [true, true]],
  [{ keepMetadata: true }, 'keep-metadata=false', {}, [false, false]],
  [{}, 'keep-metadata=true', {}, [true, true]],
  [{}, 'keep-metadata=true', { keep_metadata: false }, [true, false]],
  [{}, '', { keep_metadata: true }, [false, true]],
])(
  'metadata of a video are kept as the service, the upload and edits say, the last of them: %o %s %o',
  async (settings, query, edits, keeps) => {
    const asked: unknown[] = [];
    const engine = createFakeVideoEngine({
      frameCount: 2,
      during: async ({ keepMetadata }) => void asked.push(keepMetadata),
      duringEdits: ({ keepMetadata }) => void asked.push(keepMetadata),
    });
    const { send } = createInProcessHost(settings, { engine });
    const id = await uploadedId(send, { query, parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] });
    expect((await putEdits(send, id, { ...edits, mute: [[0, 1]] })).status).toBe(200);
    expect(asked).toEqual(keeps);
  },
);
