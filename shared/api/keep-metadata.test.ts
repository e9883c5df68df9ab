import { expect, test } from 'vitest';
import type { Engine } from '../ports/engine';
import { get, uploadedId } from '../testing/conformance-steps';
import { createFakeEngine } from '../testing/fake-engine';
import { createInProcessHost } from '../testing/in-process-host';

test.each([
  [undefined, false],
  [true, true],
])('a service with keepMetadata %s keeps it: %s', async (keepMetadata, keeps) => {
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
  const id = await uploadedId(host.send);
  await get(host.send, `/v1/file/${id}/anonymised?quality=50`);
  expect(asked).toEqual([keeps, keeps]);
});
