import { describe, expect, it, vi } from 'vitest';
import { NO_EDITS, type Edits } from '../../domain/edits/edits';
import type { Engine } from '../../ports/host-engine';
import { bytesOf } from '../../api/http/http';
import { createFakeEngine } from '../../testing/fake-engine';
import { allEnded, createDisk, forever, startHost, type Disk } from '../../testing/task-host';
import type { TaskService } from '../service';
import { readPlan } from '../files/task-files';

const HIDING: Edits = { ...NO_EDITS, method: 'blur' };
const SHOWING: Edits = { ...HIDING, objects: [{ id: 0, hidden: false }] };

/** Writes how many objects a plan hides. */
const createCountingEngine = (during: () => Promise<void> = async () => undefined): Engine => ({
  ...createFakeEngine(),
  renderImage: async ({ plan }) => {
    await during();
    return new Uint8Array([plan.regions.length]);
  },
});

const submit = async (service: TaskService, id: string, edits: Edits) => {
  const task = (await service.get(id))!;
  const base = (await service.edits.base(task))!;
  return (await service.edits.submit(task, base, edits, () => true))!;
};

const startDone = async (engine = createCountingEngine()) => {
  const disk = createDisk();
  const { service, submit: upload } = startHost(disk, engine);
  const { task, outcome } = await upload({ classes: ['face', 'vehicle'] });
  await outcome;
  return { disk, service, id: task.id };
};

const never = new AbortController().signal;
const QUALITY = { format: 'jpeg', quality: 90 } as const;
const served = async (service: TaskService, id: string): Promise<readonly number[]> => {
  const result = (await service.result(id))!;
  const file = (await service.anonymised(id, result, QUALITY, never))!;
  if (file instanceof Uint8Array) throw new Error('a result was rendered instead of read');
  return [...(await bytesOf(file.read(0, file.sizeBytes)))];
};
const labels = async (service: TaskService, id: string) =>
  (await service.result(id))?.report.detections.map(({ objectClass }) => objectClass);
const areApplied = async (service: TaskService): Promise<boolean> =>
  (await service.list()).every(({ edit }) => edit === undefined);

describe('edits', () => {
  it('replace image, report and plan together, and can be taken back', async () => {
    const { disk, service, id } = await startDone();
    expect(await (await submit(service, id, SHOWING)).outcome).toEqual({ kind: 'applied' });
    expect([await labels(service, id), await served(service, id)]).toEqual([['vehicle'], [1]]);
    const { filePrefix } = (await service.result(id))!;
    expect((await readPlan(disk.storage, id, filePrefix))?.regions).toHaveLength(1);
    await (
      await submit(service, id, HIDING)
    ).outcome;
    expect([await labels(service, id), await served(service, id)]).toEqual([['face', 'vehicle'], [2]]);
  });

  it('leave no file of the result before', async () => {
    const { disk, service, id } = await startDone();
    await (
      await submit(service, id, SHOWING)
    ).outcome;
    const names = disk.storage.keys().filter((key) => key.startsWith('output/'));
    expect(names.filter((key) => /anonymised|mask/.test(key))).toEqual([
      `output/${id}/edit-1-anonymised.jpg`,
    ]);
    await (
      await submit(service, id, HIDING)
    ).outcome;
    expect(disk.storage.keys().filter((key) => key.includes('edit-1-'))).toEqual([]);
  });

  it('that fail change nothing but the record', async () => {
    const { service, id } = await startDone(
      createCountingEngine(async () => {
        throw new Error('a fault');
      }),
    );
    const before = await served(service, id);
    expect(await (await submit(service, id, SHOWING)).outcome).toMatchObject({ kind: 'failed' });
    expect(await service.get(id)).toMatchObject({ status: 'done', edit: { status: 'failed' } });
    expect(await served(service, id)).toEqual(before);
    expect(await labels(service, id)).toEqual(['face', 'vehicle']);
  });

  it('that are accepted last win, and those before end with them', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const render = vi.fn(() => held);
    const { service, id } = await startDone(createCountingEngine(render));
    const first = await submit(service, id, SHOWING);
    await expect.poll(() => render.mock.calls.length).toBe(1);
    const second = await submit(service, id, { ...HIDING, classes: [] });
    const third = await submit(service, id, HIDING);
    finish();
    expect(await Promise.all([first.outcome, second.outcome, third.outcome])).toEqual(
      Array(3).fill({ kind: 'applied' }),
    );
    expect(await served(service, id)).toEqual([2]);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('leave nothing behind where the task is deleted meanwhile', async () => {
    let remove = async (): Promise<unknown> => undefined;
    const { disk, service, id } = await startDone(createCountingEngine(() => remove().then(() => undefined)));
    remove = () => service.delete(id, 'task-and-files');
    expect(await (await submit(service, id, SHOWING)).outcome).toEqual({ kind: 'deleted' });
    await expect.poll(() => disk.storage.keys()).toEqual([]);
  });

  it('are applied by the next host where the host is stopped in good order', async () => {
    const { disk, id } = await startDone();
    const { service } = startHost(disk, createCountingEngine(forever));
    const { outcome } = await submit(service, id, SHOWING);
    await expect.poll(async () => (await service.get(id))?.edit?.status).toBe('processing');
    void service.stop();
    const next = startHost(disk, createCountingEngine()).service;
    await next.resume();
    await expect.poll(() => areApplied(next)).toBe(true);
    expect(await served(next, id)).toEqual([1]);
    void outcome;
  });
});

/** Numbers of writes after which a host goes down: more than an edit takes. */
const WRITES = Array.from({ length: 16 }, (_, writes) => writes);

const crashDuringEdit = async (writes: number): Promise<{ disk: Disk; id: string }> => {
  const { disk, id } = await startDone();
  const { service, death } = startHost(disk, createCountingEngine(), writes);
  const edited = submit(service, id, SHOWING).then(({ outcome }) => outcome);
  await Promise.race([death, edited]);
  return { disk, id };
};

it.each(WRITES)(
  'a host that goes down after %i writes of an edit serves the old or the new result',
  async (writes) => {
    const { disk, id } = await crashDuringEdit(writes);
    const { service } = startHost(disk, createCountingEngine());
    const old = [await labels(service, id), (await served(service, id)).length > 1];
    expect([
      [['face', 'vehicle'], true],
      [['vehicle'], false],
    ]).toContainEqual(old);
    await service.resume();
    await expect.poll(() => allEnded(service)).toBe(true);
    await expect.poll(() => areApplied(service)).toBe(true);
    const hasEdits = (await labels(service, id))?.length === 1;
    expect((await served(service, id)).length > 1).toBe(!hasEdits);
  },
);
