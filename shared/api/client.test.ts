import { expect, test } from 'vitest';
import { createInProcessHost } from '../testing/in-process-host';
import { RAMP_JPEG } from '../testing/pictures';
import { filePart } from '../testing/conformance-steps';
import { createApiClient, RefusedRequest } from './client';

const clientOf = () => {
  const { send } = createInProcessHost();
  return createApiClient<Uint8Array>(({ method, url, headers, files }) =>
    send({ method, url, headers, ...(files ? { parts: files.map((file) => filePart(file)) } : {}) }),
  );
};

test('an image is uploaded, downloaded and deleted', async () => {
  const client = clientOf();
  const { id } = await client.upload(RAMP_JPEG, {
    method: 'blacken',
    face: true,
    'face-threshold': 0.3,
    format: { number: [2, 1], overlap: [0.1, 0] },
    ignores: [{ topLeftX: 0, topLeftY: 0, width: 4, height: 4 }],
  });
  expect((await client.task(id)).status).toBe('done');
  expect((await client.metadata(id)).detections.map(({ type_label }) => type_label)).toEqual(['face']);
  expect((await client.anonymised(id)).contentType).toBe('image/jpeg');
  expect((await client.anonymised(id, { download: 'PNG' })).contentType).toBe('image/png');
  expect((await client.binaryMask(id)).contentType).toBe('image/png');
  expect((await client.instanceMask(id, 50)).contentType).toBe('image/png');
  expect((await client.deleteTask(id, 'only-files')).result).toBe('success');
  expect((await client.tasks()).map((task) => task.status)).toEqual(['deleted']);
  await client.deleteAllTasks();
  expect(await client.tasks()).toEqual([]);
});

test('an asynchronous upload is answered before its task is done', async () => {
  const client = clientOf();
  const { id } = await client.upload(RAMP_JPEG, {}, { isAsync: true });
  await expect.poll(async () => (await client.task(id)).status).toBe('done');
});

test("a refusal has the service's status and sentence", async () => {
  const refusal = await clientOf()
    .upload(new Uint8Array(0))
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RefusedRequest);
  expect(refusal).toMatchObject({ status: 422, message: 'The file is empty.' });
});

test('an error answer that is not from the service is a refusal with a general sentence', async () => {
  const html = new TextEncoder().encode('<h1>Bad gateway</h1>');
  const client = createApiClient<Uint8Array>(async () => ({ status: 502, headers: {}, body: html }));
  await expect(client.status()).rejects.toMatchObject({
    status: 502,
    message: 'The service answered with status 502.',
  });
});
