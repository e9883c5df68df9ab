import { describe, expect, test } from 'vitest';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { createInProcessHost, type InProcessHost } from '../testing/in-process-host';
import { LIMITS } from '../domain/limits';
import { receivedInMemory } from '../testing/memory-storage';
import { RAMP_JPEG } from '../testing/ramp-images';
import { RAMP_MP4 } from '../testing/video-files';
import { filePart } from '../testing/conformance-steps';
import { callOverHttp, createApiClient, RefusedRequest, type CallRoute } from './client';
import { callWithin } from './dispatch';

const WAYS: Readonly<Record<string, (host: InProcessHost) => CallRoute<Uint8Array>>> = {
  'by requests': ({ send }) =>
    callOverHttp(({ files, ...request }) =>
      send({ ...request, ...(files ? { parts: files.map((file) => filePart(file)) } : {}) }),
    ),
  'in the same program': ({ api, storage }) =>
    callWithin(api, (file) => ({ ...filePart(file), file: receivedInMemory(file, storage) })),
};

describe.each(Object.entries(WAYS))('a client %s', (_name, way) => {
  const clientOf = (...parts: Parameters<typeof createInProcessHost>) =>
    createApiClient(way(createInProcessHost(...parts)));

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

  test("a refusal has the service's status, sentence and code", async () => {
    const refusal = await clientOf()
      .upload(new Uint8Array(0))
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefusedRequest);
    expect(refusal).toMatchObject({ status: 422, message: 'The file is empty.', code: 'empty_file' });
  });

  test('edits are put, read and refused with the sentence of the service', async () => {
    const client = clientOf();
    const { id } = await client.upload(RAMP_JPEG, { method: 'blacken' });
    await client.putEdits(id, { method: 'pixelate', reviewer: 'Ada' });
    expect(await client.edits(id)).toMatchObject({ method: 'pixelate', reviewer: 'Ada' });
    const refusal = client.putEdits(id, { method: 'smudge' } as never);
    await expect(refusal).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('`method`'),
    });
    const { lowest_score: lowest, candidates } = await client.candidates(id);
    expect([lowest <= 0.5, candidates.length > 0]).toEqual([true, true]);
  });

  test('a task is followed to its end', async () => {
    const client = clientOf();
    const { id } = await client.upload(RAMP_JPEG, {}, { isAsync: true });
    const seen: string[] = [];
    for await (const { status } of client.watch(id)) seen.push(status);
    expect(seen.at(-1)).toBe('done');
  });

  test('frames of a video and the video itself are had', async () => {
    const client = clientOf({}, { engine: createFakeVideoEngine({ frameCount: 3 }) });
    const { id } = await client.upload(RAMP_MP4);
    const frames = await client.videoMetadata(id, { timestamps: true, start_frame: 1 });
    expect(frames.map(({ id: frame, timestamp }) => [frame, typeof timestamp])).toEqual([
      [1, 'number'],
      [2, 'number'],
    ]);
    expect((await client.anonymisedVideo(id)).contentType).toBe('video/mp4');
  });

  test.each<readonly [string, object]>([
    ['face-threshold', { 'face-threshold': 2 }],
    ['method', { method: 'smudge' }],
    ['debug', { debug: 'perhaps' }],
    ['format', { format: { number: [1000, 1000], overlap: [0, 0] } }],
    ['ignores', { ignores: [{ topLeftX: 0 }] }],
  ])('a parameter `%s` out of its range is refused', async (name, parameters) => {
    const refusal = clientOf().upload(RAMP_JPEG, parameters);
    await expect(refusal).rejects.toMatchObject({ status: 422, message: expect.stringContaining(name) });
  });

  test('a body and a file above their limits are refused', async () => {
    const client = clientOf({ limits: { ...LIMITS, maxJsonBytes: 64, maxUploadBytes: RAMP_JPEG.length } });
    await expect(client.upload(RAMP_MP4)).rejects.toMatchObject({ status: 413 });
    const { id } = await client.upload(RAMP_JPEG);
    const edits = { ignores: Array(9).fill({ topLeftX: 0, topLeftY: 0, width: 1, height: 1 }) };
    await expect(client.putEdits(id, edits)).rejects.toMatchObject({ status: 413 });
  });
});

test('an error answer that is not from the service is a refusal with a general sentence', async () => {
  const html = new TextEncoder().encode('<h1>Bad gateway</h1>');
  const client = createApiClient(callOverHttp(async () => ({ status: 502, headers: {}, body: html })));
  await expect(client.status()).rejects.toMatchObject({
    status: 502,
    message: 'The service answered with status 502.',
  });
});
