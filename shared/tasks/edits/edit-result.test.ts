import { describe, expect, it, vi } from 'vitest';
import { NO_EDITS, type EditRequest } from '../../domain/edits/edits';
import { defaultImageOptions } from '../../domain/options';
import { createFakeEngine } from '../../testing/fake-engine';
import { createFakeSystem } from '../../testing/fake-system';
import { testSettings } from '../../testing/in-process-host';
import { createDisk, startHost } from '../../testing/task-host';
import { boxOf } from '../../testing/plans';
import { createResultEditor } from './edit-result';
import { readPlan, writeJson } from '../files/task-files';

const { classes, thresholds } = defaultImageOptions();
const revision = (changed: Partial<EditRequest> = {}): EditRequest => ({
  method: 'blur',
  classes,
  thresholds,
  edits: NO_EDITS,
  ...changed,
});
const OFF: Partial<EditRequest> = { edits: { ...NO_EDITS, changes: { 0: { isOff: true } } } };

const startDone = async () => {
  const disk = createDisk();
  const engine = createFakeEngine();
  const { service, submit } = startHost(disk, engine);
  const { task, outcome } = await submit({ classes: ['face', 'vehicle'] });
  await outcome;
  const resultEditor = createResultEditor({ engine, system: createFakeSystem(), ...disk }, testSettings());
  return { disk, engine, service, resultEditor, id: task.id };
};

const never = new AbortController().signal;

describe('a result that a person revises', () => {
  it('is reported without what was switched off, and with it again when that is taken back', async () => {
    const { service, resultEditor, id } = await startDone();
    const reported = async () =>
      (await service.result(id))?.report.detections.map(({ objectClass }) => objectClass);
    expect(await resultEditor.applyEdits(id, revision(OFF))).toBe(true);
    expect(await reported()).toEqual(['vehicle']);
    expect(await resultEditor.applyEdits(id, revision())).toBe(true);
    expect(await reported()).toEqual(['face', 'vehicle']);
  });

  it('is drawn by the plan that masks and other encodings are drawn by', async () => {
    const { disk, engine, resultEditor, id } = await startDone();
    const render = vi.spyOn(engine, 'renderImage');
    await resultEditor.applyEdits(id, revision({ ...OFF, method: 'pixelate' }));
    expect(render.mock.calls[0]?.[0].plan).toEqual(await readPlan(disk.storage, id));
    expect(render.mock.calls[0]?.[0].plan).toMatchObject({ method: 'pixelate', regions: [{ id: 0 }] });
  });

  it('has no result file with `detect`, and one afterwards', async () => {
    const { service, resultEditor, id } = await startDone();
    await resultEditor.applyEdits(id, revision({ method: 'detect' }));
    expect(await service.anonymised(id, { format: 'jpeg', quality: 90 }, never)).toBeUndefined();
    await resultEditor.applyEdits(id, revision());
    expect(await service.anonymised(id, { format: 'jpeg', quality: 90 }, never)).toBeDefined();
  });

  it('keeps camera, date and place where the person wants that, and not otherwise', async () => {
    const { engine, resultEditor, id } = await startDone();
    const render = vi.spyOn(engine, 'renderImage');
    await resultEditor.applyEdits(id, revision({ keepsMetadata: true }));
    await resultEditor.applyEdits(id, revision());
    expect(render.mock.calls.map(([{ keepMetadata }]) => keepMetadata)).toEqual([true, false]);
  });

  it('is served as another file than the one before', async () => {
    const { service, resultEditor, id } = await startDone();
    await resultEditor.applyEdits(id, revision());
    await resultEditor.applyEdits(id, revision());
    expect((await service.result(id))?.revision).toBe(2);
  });

  it('outlines what a lower threshold lets in, once', async () => {
    const { disk, engine, resultEditor, id } = await startDone();
    const plan = (await readPlan(disk.storage, id))!;
    const person = { objectClass: 'person', score: 0.3, box: boxOf(0, 0, 8, 4) } as const;
    const outline = { kind: 'runs', box: boxOf(0, 0, 8, 4), runs: [0, 8, 24] } as const;
    await writeJson(disk.storage, `output/${id}/plan.json`, { ...plan, candidates: [person] });
    engine.outlineObjects = vi.fn(async () => [outline]);
    const low = revision({ thresholds: { ...thresholds, person: 0.25 } });
    await resultEditor.applyEdits(id, revision());
    expect(engine.outlineObjects).not.toHaveBeenCalled();
    await resultEditor.applyEdits(id, low);
    expect((await readPlan(disk.storage, id))?.regions.at(-1)).toMatchObject({ shape: outline });
    await resultEditor.applyEdits(id, revision());
    await resultEditor.applyEdits(id, low);
    expect(engine.outlineObjects).toHaveBeenCalledTimes(1);
    expect((await readPlan(disk.storage, id))?.regions.at(-1)).toMatchObject({ shape: outline });
    expect(await readPlan(disk.storage, id)).not.toHaveProperty('candidateOutlines');
  });

  it('still reports all detections', async () => {
    const { resultEditor, id } = await startDone();
    await resultEditor.applyEdits(id, revision(OFF));
    expect((await resultEditor.search(id))?.found.map(({ detection }) => detection.objectClass)).toEqual([
      'face',
      'vehicle',
    ]);
  });

  it('leaves nothing behind where its task is deleted meanwhile', async () => {
    const { disk, engine, service, resultEditor, id } = await startDone();
    vi.spyOn(engine, 'renderImage').mockImplementation(async () => {
      await service.delete(id, 'task-and-files');
      return new Uint8Array(1);
    });
    expect(await resultEditor.applyEdits(id, revision())).toBe(false);
    expect(await readPlan(disk.storage, id)).toBeUndefined();
  });
});
