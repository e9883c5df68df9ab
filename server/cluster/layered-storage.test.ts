import { describe, expect, it } from 'vitest';
import { NO_EDITS, type Edits } from '#shared/domain/edits/edits';
import { LIMITS } from '#shared/domain/limits';
import type { Storage } from '#shared/ports/storage';
import { editImage } from '#shared/tasks/edits/edit-image';
import { readAppliedEdits } from '#shared/tasks/edits/wanted-edits';
import {
  anonymisedKey,
  readFirstPlan,
  readPlan,
  readStoredResult,
  writeFirstPlan,
} from '#shared/tasks/files/task-files';
import { bytesOf } from '#shared/api/http/http';
import { createFakeEngine } from '#shared/testing/fake-engine';
import { createMemoryStorage } from '#shared/testing/memory-storage';
import { describeStorage } from '#shared/testing/storage-contract';
import { createDisk, startHost } from '#shared/testing/task-host';
import { system } from '../adapters/system';
import { completeAttemptFolder, layeredStorage, resolvedStorage } from './layered-storage';

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder().decode(bytes);
const bytesFor = (text: string): Uint8Array => new TextEncoder().encode(text);

const EARLIER = { folders: ['p', 'e1'], target: 'e2' } as const;

/** The views of all tasks together: the contract uses several. */
const viewsOf = (storage: Storage): Storage => {
  const views = new Map<string, Storage>();
  const viewOf = (key: string): Storage => {
    const [, taskId = ''] = key.split('/');
    const view = views.get(taskId) ?? layeredStorage(storage, { taskId, ...EARLIER });
    views.set(taskId, view);
    return view;
  };
  return {
    write: (key, bytes) => viewOf(key).write(key, bytes),
    read: (key) => viewOf(key).read(key),
    open: (key) => viewOf(key).open(key),
    create: (key) => viewOf(key).create(key),
    remove: (prefix) => viewOf(prefix).remove(prefix),
  };
};

describeStorage('storage of an attempt', async () => viewsOf(createMemoryStorage()));

/** Files as an earlier result left them. */
const open = async (files: Readonly<Record<string, string>>) => {
  const storage = createMemoryStorage();
  for (const [key, text] of Object.entries(files)) await storage.write(key, bytesFor(text));
  const view = layeredStorage(storage, { taskId: 'a', ...EARLIER });
  return { storage, view };
};

describe('an attempt', () => {
  it('reads a file from its own folder, then from the newest folder of the result', async () => {
    const { view } = await open({
      'output/a/p/x': 'p',
      'output/a/e1/x': 'e1',
      'output/a/e2/x': 'e2',
      'output/a/p/y': 'p',
      'output/a/e1/y': 'e1',
      'output/a/p/z': 'p',
      'output/a/other/w': 'other',
    });
    const read = await Promise.all(['x', 'y', 'z', 'w'].map((name) => view.read(`output/a/${name}`)));
    expect(read.map(textOf)).toEqual(['e2', 'e1', 'p', undefined]);
    expect(textOf(await bytesOf((await view.open('output/a/y'))!.read(0, 2)))).toBe('e1');
  });

  it('writes to its own folder only', async () => {
    const { storage, view } = await open({ 'output/a/p/x': 'p' });
    await view.write('output/a/x', bytesFor('new'));
    const file = await view.create('output/a/y');
    await file.write(0, bytesFor('y'));
    await file.commit();
    expect(storage.keys()).toEqual(['output/a/e2/x', 'output/a/e2/y', 'output/a/p/x']);
    expect(textOf(await storage.read('output/a/p/x'))).toBe('p');
  });

  it('hides what it removes from the result, and removes what it has written', async () => {
    const { storage, view } = await open({ 'output/a/p/mask-1': 'p', 'output/a/p/plan': 'p' });
    await view.write('output/a/mask-2', bytesFor('e2'));
    await view.remove('output/a/mask');
    expect(await view.read('output/a/mask-1')).toBeUndefined();
    expect(await view.read('output/a/mask-2')).toBeUndefined();
    expect(textOf(await view.read('output/a/plan'))).toBe('p');
    expect(storage.keys()).toEqual(['output/a/p/mask-1', 'output/a/p/plan']);
    await view.write('output/a/mask-1', bytesFor('new'));
    expect(textOf(await view.read('output/a/mask-1'))).toBe('new');
  });

  it('removes all files of its task, and those of no other task', async () => {
    const { storage, view } = await open({
      'output/a/p/x': 'p',
      'output/ab/p/x': 'p',
      'input/a/source': 's',
    });
    await view.remove('output/a/');
    expect(storage.keys()).toEqual(['input/a/source', 'output/ab/p/x']);
    await view.remove('input/a/');
    expect(storage.keys()).toEqual(['output/ab/p/x']);
  });

  it('that was taken over removes its own files only', async () => {
    const storage = createMemoryStorage();
    for (const key of ['output/a/winner/x', 'output/a/loser/x', 'input/a/source']) {
      await storage.write(key, bytesFor('x'));
    }
    const layers = { taskId: 'a', folders: [], target: 'loser' };
    const view = layeredStorage(storage, layers, async () => false);
    await view.remove('output/a/');
    await view.remove('input/a/');
    expect(storage.keys()).toEqual(['input/a/source', 'output/a/winner/x']);
  });

  it('uses no files of other tasks, and names no folder of an attempt', async () => {
    const { view } = await open({});
    for (const key of ['output/b/x', 'output/a/p/x', 'output/a', 'output/a/../b/x']) {
      await expect(view.read(key)).rejects.toThrow();
      await expect(view.write(key, bytesFor('x'))).rejects.toThrow();
    }
    await expect(view.remove('output/b/')).rejects.toThrow('another task');
    await expect(view.remove('output/a/p/')).rejects.toThrow();
  });
});

describe('an API process', () => {
  const FILES = {
    'output/a/p/x': 'p',
    'output/a/p/y': 'p',
    'output/a/e1/x': 'e1',
    'output/a/lost/x': 'lost',
  };

  it('reads results from the folders that the record names at that moment', async () => {
    const { storage } = await open(FILES);
    let folders: readonly string[] = [];
    const view = resolvedStorage(storage, async () => folders);
    expect(await view.read('output/a/x')).toBeUndefined();
    folders = ['p'];
    expect(textOf(await view.read('output/a/x'))).toBe('p');
    folders = ['p', 'e1'];
    expect(textOf(await view.read('output/a/x'))).toBe('e1');
    expect((await view.open('output/a/y'))?.sizeBytes).toBe(1);
  });

  it('writes uploads, and no results', async () => {
    const { storage } = await open({});
    const view = resolvedStorage(storage, async () => ['p']);
    await view.write('input/a/source', bytesFor('s'));
    expect(textOf(await view.read('input/a/source'))).toBe('s');
    await expect(view.write('output/a/x', bytesFor('x'))).rejects.toThrow('by workers only');
    await expect(view.create('output/a/x')).rejects.toThrow('by workers only');
    expect(storage.keys()).toEqual(['input/a/source']);
  });

  it('removes all files of a task with those of abandoned attempts', async () => {
    const { storage } = await open(FILES);
    const view = resolvedStorage(storage, async () => ['p']);
    await expect(view.remove('output/a/x')).rejects.toThrow('or none');
    await view.remove('output/a/');
    expect(storage.keys()).toEqual([]);
  });
});

describe('a result', () => {
  it('has at most two folders, which contain what later edits need', async () => {
    const layers = { taskId: 'a', folders: ['p'], target: 'e1' };
    const storage = createMemoryStorage();
    expect(await completeAttemptFolder(storage, { ...layers, folders: [], target: 'p' })).toEqual([]);
    await storage.write('output/a/p/result.json', bytesFor('{}'));
    expect(await completeAttemptFolder(storage, { ...layers, folders: [], target: 'p' })).toEqual(['p']);
    await storage.write('output/a/e1/result.json', bytesFor('{}'));
    await storage.write('output/a/e1/first-plan.json', bytesFor('outlined'));
    expect(await completeAttemptFolder(storage, layers)).toEqual(['p', 'e1']);
    await storage.write('output/a/e2/result.json', bytesFor('{}'));
    expect(await completeAttemptFolder(storage, { taskId: 'a', ...EARLIER })).toEqual(['p', 'e2']);
    expect(textOf(await storage.read('output/a/e2/first-plan.json'))).toBe('outlined');
  });

  it('keeps its folders if the edits were in force already', async () => {
    const storage = createMemoryStorage();
    await storage.write('output/a/e1/result.json', bytesFor('{}'));
    expect(await completeAttemptFolder(storage, { taskId: 'a', ...EARLIER })).toEqual(['p', 'e1']);
    expect(storage.keys()).toEqual(['output/a/e1/result.json']);
  });

  it('is replaced by edits in folders of their own, each starting from the first plan', async () => {
    const { storage, taskStore } = createDisk();
    const host = startHost({ storage, taskStore }, createFakeEngine());
    const { task, outcome } = await host.submit({ classes: ['face', 'vehicle'] });
    await outcome;
    const { id } = task;
    for (const key of storage.keys().filter((each) => each.startsWith(`output/${id}/`))) {
      await storage.write(key.replace(`${id}/`, `${id}/p/`), (await storage.read(key))!);
      await storage.remove(key);
    }
    let folders: readonly string[] = ['p'];
    const api = resolvedStorage(storage, async () => folders);
    const edit = async (target: string, edits: Edits): Promise<void> => {
      const layers = { taskId: id, folders, target };
      const view = layeredStorage(storage, layers);
      if (target === 'e1') {
        const plan = (await readFirstPlan(view, id))!;
        await writeFirstPlan(view, id, { ...plan, candidateOutlines: {} });
      }
      const ports = { engine: createFakeEngine(), storage: view, taskStore, system };
      const editPorts = {
        ports,
        settings: { limits: LIMITS },
        onProgress: () => undefined,
        signal: new AbortController().signal,
      };
      expect(await editImage(id, edits, editPorts)).toBe(true);
      const before = folders;
      expect(await readStoredResult(api, id)).toBeDefined();
      const after = await completeAttemptFolder(storage, layers);
      folders = after;
      for (const folder of before.filter((each) => !after.includes(each))) {
        await storage.remove(`output/${id}/${folder}/`);
      }
    };
    const hiding: Edits = { method: 'blur' };
    await edit('e1', { ...hiding, objects: [{ id: 0, hidden: false }] });
    await edit('e2', hiding);
    expect(folders).toEqual(['p', 'e2']);
    const result = (await readStoredResult(api, id))!;
    expect(result).toMatchObject({ revision: 2, filePrefix: 'edit-2-' });
    expect(await readAppliedEdits(api, id, result.filePrefix)).toEqual(hiding);
    expect(await readPlan(api, id, result.filePrefix)).toBeDefined();
    expect(await api.open(anonymisedKey(id, 'jpeg', result.filePrefix))).toBeDefined();
    expect(await readFirstPlan(api, id)).toMatchObject({ candidateOutlines: {} });
    await edit('e3', hiding);
    expect(folders).toEqual(['p', 'e2']);
    await edit('e4', NO_EDITS);
    expect(folders).toEqual(['p', 'e4']);
  });
});
