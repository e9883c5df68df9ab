import { existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientOf } from '../batch/file-service';
import { createFakeEngine } from '#shared/testing/fake-engine';
import { createFakeVideoEngine } from '#shared/testing/fake-video-engine';
import { createFakeLog } from '#shared/testing/fake-system';
import { createMemoryTaskStore } from '#shared/testing/memory-task-store';
import { testSettings } from '#shared/testing/in-process-host';
import { rampPng } from '#shared/testing/ramp-images';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { createApiService, type ApiService } from '#shared/api/handlers/service';
import { jsonReport, readLog } from '#shared/api/handlers/report/build-report';
import { withDefaults } from '#shared/api/http/query';
import { ReportQuery } from '#shared/api/contract/schemas-report';
import { LIMITS } from '#shared/domain/limits';
import type { ReviewState } from '#shared/domain/review';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { createStorage, PASSING } from '../adapters/storage';
import { system } from '../adapters/system';
import { createBatchFolder, type BatchFolder } from '../testing/batch-folder';
import { listResults } from './list-results';
import { reviewedFile, type ReviewedFile } from './submit-results';

interface Review {
  readonly file: (name: string) => ReviewedFile;
  readonly state: (name: string) => Promise<ReviewState>;
  readonly tasks: TaskService;
  readonly service: ApiService;
  readonly client: ReturnType<typeof clientOf>;
  /** Files that were searched. */
  readonly searched: string[];
  /** Why, of those whose stored plan cannot be used. */
  readonly reasons: Record<string, string>;
}

const review = async ({ at, output }: BatchFolder): Promise<Review> => {
  const folders = { input: at('tmp/input'), output: at('tmp/output') };
  const searched: string[] = [];
  const engine = createFakeVideoEngine(
    { frameCount: 3, during: async () => void searched.push('video') },
    createFakeEngine(async () => void searched.push('image')),
  );
  const [storage, taskStore, settings] = [
    createStorage(folders, PASSING),
    createMemoryTaskStore(),
    testSettings(),
  ];
  const ports = { engine, storage, taskStore, system, log: createFakeLog() };
  const tasks = createTaskService(ports, settings);
  const service = createApiService(tasks, ports, settings);
  const reasons: Record<string, string> = {};
  const parts = {
    server: { engine, tasks, service, storage, taskStore },
    ...{ folder: output, folders, limits: LIMITS, saveMask: 'none' as const },
    onSearched: (name: string, reason: string) => void (reasons[name] = reason),
  };
  const { results } = await listResults(output, [at('in')]);
  const files = new Map(results.map((result) => [result.entry.name, reviewedFile(result, parts)]));
  const file = (name: string): ReviewedFile => files.get(name)!;
  return {
    file,
    state: (name) => file(name).state(),
    tasks,
    service,
    client: clientOf(service),
    searched,
    reasons,
  };
};

const AREA = { topLeftX: 0, topLeftY: 0, width: 9, height: 9 };
const HIDES = JSON.stringify([AREA, { ...AREA, topLeftX: 2, start: 0.05, end: 0.07 }]);

/** Results of a run with an image and a video, with all that describes them. */
const runBoth = async (...flags: string[]): Promise<BatchFolder> => {
  const folder = createBatchFolder();
  folder.write('in/a.png', rampPng(40, 30));
  utimesSync(folder.write('in/b.mp4', RAMP_MP4), 1e9, 1e9);
  const described = ['--save-metadata', '--save-report', '--save-log'];
  await folder.run([folder.at('in'), '-a', 'face', '-a', 'person', ...described, ...flags]);
  return folder;
};

const planOf = ({ output }: BatchFolder, name: string): string =>
  join(output, '.veil-plans', `${name}.jsonl`);

const REPORT = { query: withDefaults(ReportQuery, {}), signal: new AbortController().signal };

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

it('a review of images and videos whose plans are stored searches none, and says of them what the run said', async () => {
  const folder = await runBoth('--hides', HIDES);
  const { file, state, service, searched } = await review(folder);
  for (const name of ['a.png', 'b.mp4']) {
    const saved = (kind: string): string =>
      readFileSync(join(folder.output, `${name[0]!}-${kind}`), 'utf8').trim();
    expect(file(name).takesLong()).toBe(false);
    expect(await state(name)).toHaveProperty('options');
    const { task } = file(name).ready()!;
    const before = (JSON.parse(saved('report.json')) as { id: string }).id;
    const asBefore = (bytes: Uint8Array): string => textOf(bytes).trim().replaceAll(task.id, before);
    const { json, csv } = await readLog({ ...REPORT, task, service });
    expect(asBefore(csv)).toBe(saved('redactions.csv'));
    expect(asBefore(json)).toBe(saved('redactions.json'));
    const report = await jsonReport({ ...REPORT, task, service });
    expect(JSON.parse(asBefore(report.file))).toMatchObject({
      ...(JSON.parse(saved('report.json')) as object),
      ...{ redactions: expect.anything() as unknown, signature: null },
    });
  }
  expect(searched).toEqual([]);
});

it('stored edits and decisions apply to a restored result, and no edit searches it', async () => {
  const folder = await runBoth();
  const edits = JSON.stringify({ objects: [{ id: 7, hidden: false }] });
  folder.write('out/b.mp4.edits.json', edits);
  folder.write('out/a.png.edits.json', JSON.stringify({ objects: [{ id: 1, hidden: false }] }));
  folder.write('out/a.png', rampPng(40, 31)); // as edits have left it
  const decisions = [{ decision: 'visible', type_label: 'face', id: 1, at: '2026-01-01T00:00:00.000Z' }];
  folder.write('out/a.png.decisions.json', JSON.stringify({ decisions }));
  const { file, state, tasks, client, searched } = await review(folder);
  expect(file('b.mp4').takesLong()).toBe(true);
  expect(await state('a.png')).toMatchObject({ edits: { objects: [{ id: 1, hidden: false }] } });
  expect(await state('b.mp4')).toMatchObject({ edits: { objects: [{ id: 7, hidden: false }] } });
  const { id } = file('a.png').ready()!.task;
  expect(await tasks.get(id)).toMatchObject({ decisions });
  await client.putEdits(id, { objects: [] });
  expect((await tasks.result(id))!.report.detections).toHaveLength(2);
  expect(searched).toEqual([]);
});

it('a result of given detections keeps them, and names their file', async () => {
  const folder = createBatchFolder();
  folder.write('in/a.png', rampPng(40, 30));
  const objects = [{ class: 'vehicle', bbox: [1, 2, 21, 22], score: 0.5 }];
  const given = folder.write('given.jsonl', JSON.stringify({ width: 40, height: 30, objects }));
  await folder.run([folder.at('in'), '--from', given]);
  const { file, state, tasks, searched, reasons } = await review(folder);
  expect(await state('a.png')).toHaveProperty('options');
  const { id } = file('a.png').ready()!.task;
  expect((await tasks.get(id))!.given!.sizeBytes).toBe(statSync(given).size);
  expect((await tasks.result(id))!.report.detections).toMatchObject([{ objectClass: 'vehicle', score: 0.5 }]);
  expect([searched, reasons]).toEqual([[], {}]);
});

const changed = (folder: BatchFolder, name: string, change: (lines: string[]) => readonly string[]): void => {
  const path = planOf(folder, name);
  writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')).join('\n'));
};

/** Changes a line of a plan as JSON. */
const withLine = (at: number, change: (text: string) => string) => (lines: string[]) =>
  lines.map((line, i) => (i === at ? change(line) : line));

const DAMAGED = 'its stored plan is damaged';

it.each<readonly [string, (lines: string[]) => readonly string[], string]>([
  ['is cut off', (lines) => [lines.join('\n').slice(0, -9)], DAMAGED],
  ['is empty', () => [], DAMAGED],
  ['lacks a frame', (lines) => [...lines.slice(0, 3), ''], DAMAGED],
  ['repeats a frame', (lines) => [...lines.slice(0, 3), ...lines.slice(2)], DAMAGED],
  ['is no JSON', withLine(0, () => '{'), DAMAGED],
  [
    'is that of another version',
    withLine(0, (line) => line.replace('"plan":1', '"plan":2')),
    'its stored plan is of another version of Veil',
  ],
  [
    'has other settings',
    withLine(0, (line) => line.replace(/"options":"\w+"/, '"options":"0"')),
    'its stored plan has other settings',
  ],
  [
    'is that of another source',
    withLine(0, (line) => line.replace(/"sha256":"\w{8}/, '"sha256":"00000000')),
    'its stored plan is that of another source',
  ],
  ['reaches outside the image', withLine(1, (line) => line.replaceAll(/"x2":\d+/g, '"x2":1e9')), DAMAGED],
  ['has a box outside the image', withLine(1, (line) => line.replace('"x1":1', '"x1":-60')), DAMAGED],
  ['has a number without end', withLine(1, (line) => line.replace('"x1":1', '"x1":-1e999')), DAMAGED],
  ['has a prototype', withLine(1, (line) => line.replace('{', '{"__proto__":{"x":1},')), DAMAGED],
  ['has an unknown field', withLine(1, (line) => line.replace('"featherPx"', '"y":0,"featherPx"')), DAMAGED],
  [
    'has more pixels than its box',
    withLine(1, (line) =>
      line.replace(
        /"shape":{.*?}}/,
        '"shape":{"kind":"runs","box":{"x1":0,"y1":0,"x2":2,"y2":2},"runs":[0,5]}',
      ),
    ),
    DAMAGED,
  ],
  ['has cells without size', withLine(1, (line) => line.replace('"cellPx":4', '"cellPx":0')), DAMAGED],
  [
    'has a wrong number of frames',
    withLine(0, (line) => line.replace('"frameCount":3', '"frameCount":4')),
    DAMAGED,
  ],
])('a plan that %s is not used: its file alone is searched again', async (_how, change, reason) => {
  const folder = await runBoth();
  changed(folder, 'b.mp4', change);
  const { state, searched, reasons } = await review(folder);
  expect(await state('b.mp4')).toHaveProperty('options');
  expect(await state('a.png')).toHaveProperty('options');
  expect(searched).toEqual(['video']);
  expect(reasons).toEqual({ 'b.mp4': reason });
});

it('a result that was changed by another program, and a source with the same time and size, are searched again', async () => {
  const folder = await runBoth();
  folder.write('out/a.png', rampPng(40, 31));
  const source = folder.at('in/b.mp4');
  writeFileSync(
    source,
    readFileSync(source).map((byte, i, all) => (i === all.length - 1 ? byte ^ 1 : byte)),
  );
  utimesSync(source, 1e9, 1e9);
  const { state, searched, reasons } = await review(folder);
  for (const name of ['a.png', 'b.mp4']) expect(await state(name)).toHaveProperty('options');
  expect(searched).toEqual(['image', 'video']);
  expect(reasons).toEqual({
    'a.png': 'its result has changed since it was written',
    'b.mp4': 'its stored plan is that of another source',
  });
});

it('a result without a plan is searched as before, and a link in the place of a plan is not followed', async () => {
  const folder = await runBoth();
  const other = folder.write('plan.jsonl', readFileSync(planOf(folder, 'b.mp4')));
  rmSync(planOf(folder, 'a.png'));
  rmSync(planOf(folder, 'b.mp4'));
  symlinkSync(other, planOf(folder, 'b.mp4'));
  const { file, state, searched, reasons } = await review(folder);
  for (const name of ['a.png', 'b.mp4']) {
    expect(file(name).takesLong()).toBe(true);
    expect(await state(name)).toHaveProperty('options');
  }
  expect(searched).toEqual(['image', 'video']);
  expect(reasons).toEqual({});
});

it('a result whose plan cannot be written is complete, and the log has the reason', async () => {
  const folder = createBatchFolder();
  folder.write('in/a.png', rampPng(40, 30));
  folder.write('out/.veil-plans', 'a file in the place of the folder');
  const { isDone, failed, log } = await folder.run([folder.at('in')]);
  expect({ isDone, failed }).toEqual({ isDone: true, failed: [] });
  expect(log.causes).toHaveLength(1);
  const { state, searched } = await review(folder);
  expect(await state('a.png')).toHaveProperty('options');
  expect(searched).toEqual(['image']);
});

it('only the user can read plans, and those of results that are not written any more are removed', async () => {
  const folder = await runBoth();
  expect(statSync(planOf(folder, 'a.png')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.output, '.veil-plans')).mode & 0o777).toBe(0o700);
  await folder.run([folder.at('in'), '--method', 'detect', '--save-metadata']);
  expect(existsSync(planOf(folder, 'a.png'))).toBe(false);
  expect(existsSync(planOf(folder, 'b.mp4'))).toBe(false);
});
