import { imageHeader } from '../../testing/sniffed-files';
import { describe, expect, it } from 'vitest';
import { filePart, get, uploadedId, waitForTask } from '../../testing/conformance-steps';
import { createFakeEngine } from '../../testing/fake-engine';
import { createInProcessHost } from '../../testing/in-process-host';
import { jsonOf } from '../../testing/conformance';
import { rampPng } from '../../testing/pictures';
import { memoryOf } from './memory-gate';
import { LIMITS } from '../../domain/limits';

const memoryOfPixels = (pixels: number): number =>
  memoryOf({ kind: 'image', header: imageHeader({ width: pixels, height: 1 }) }, LIMITS);

/** A host with room for one large image of 40 × 40 pixels, or for several small ones of 10 × 10. */
const open = (changes: Parameters<typeof createInProcessHost>[0] = {}) => {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const engine = createFakeEngine(({ bytes }) => {
    started.push(new DataView(bytes.buffer, bytes.byteOffset).getUint32(16));
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  const host = createInProcessHost(
    { concurrency: 3, memoryBudgetBytes: memoryOfPixels(40 * 40), ...changes },
    { engine },
  );
  const add = (side: number): Promise<string> =>
    uploadedId(host.send, { isAsync: true, parts: [filePart(rampPng(side, side))] });
  return { ...host, add, started, endFirst: () => ends.shift()?.() };
};

describe('an image in a queue with a memory budget', () => {
  it('waits for room instead of adding up with others, while smaller ones do not wait for it', async () => {
    const { add, send, started, endFirst } = open();
    const first = await add(30);
    await expect.poll(() => started).toEqual([30]);
    const large = await add(40);
    const small = await add(10);
    await expect.poll(() => started).toEqual([30, 10]);
    expect(jsonOf(await get(send, `/v1/task/${large}`))).toMatchObject({ status: 'queued' });
    endFirst();
    expect(await waitForTask(send, first)).toBe('done');
    endFirst();
    expect(await waitForTask(send, small)).toBe('done');
    await expect.poll(() => started).toEqual([30, 10, 40]);
  });

  it('is processed alone if it is larger than the whole budget', async () => {
    const { add, send, started, endFirst } = open();
    const large = await add(60);
    await expect.poll(() => started).toEqual([60]);
    await add(10);
    endFirst();
    expect(await waitForTask(send, large)).toBe('done');
    await expect.poll(() => started).toEqual([60, 10]);
  });

  it('can be deleted while it waits', async () => {
    const { add, send, started, endFirst, storage } = open();
    const first = await add(30);
    const large = await add(40);
    await expect.poll(() => started).toEqual([30]);
    await send({ method: 'DELETE', url: `/v1/task/${large}` });
    endFirst();
    expect(await waitForTask(send, first)).toBe('done');
    await expect.poll(() => storage.keys().filter((key) => key.includes(large))).toEqual([]);
    expect(started).toEqual([30]);
  });
});
