import { expect, it, vi } from 'vitest';
import { RefusedRequest } from '#shared/api/client';
import { NO_ITEM_EDITS } from './edit-history';
import type { MediaResult } from './media-item';
import { type ImageEditor, ProcessingFailed, type Anonymiser } from './work';
import {
  createRoutedAnonymiser,
  type FetchedFiles,
  type ResultEditor,
  type ResultStore,
} from './server-anonymiser';
import { createServerChoice } from './server-use';
import { defaultSettings } from './settings';

const RESULT: MediaResult = {
  taskId: '1',
  width: 1,
  height: 1,
  objects: [],
  durationS: 0,
  hasImage: true,
};
const FILE = new File(['photo'], 'a.jpg');
const settings = defaultSettings();
const never = new AbortController().signal;

/** @param name content of its files */
const worker = (name: string) =>
  ({
    process: vi.fn<Anonymiser['process']>(async () => RESULT),
    file: vi.fn<Anonymiser['file']>(async () => new Blob([name])),
    masks: vi.fn<Anonymiser['masks']>(async () => []),
    release: vi.fn<Anonymiser['release']>(async () => undefined),
    log: vi.fn<Anonymiser['log']>(async () => ({ csv: new Blob([`log of ${name}`]), page: new Blob() })),
    report: vi.fn<Anonymiser['report']>(async () => new Blob([`report of ${name}`])),
    detections: vi.fn<Anonymiser['detections']>(async () => []),
    metadata: vi.fn<Anonymiser['metadata']>(async () => new Blob(['{}'])),
    forget: vi.fn<Anonymiser['forget']>(async () => undefined),
    applyEdits: vi.fn<ImageEditor['applyEdits']>(),
    editVideo: vi.fn<Anonymiser['editVideo']>(),
    recordDecisions: vi.fn<ResultEditor['recordDecisions']>(async () => undefined),
  }) satisfies ResultEditor;

const setUp = () => {
  const [tab, server] = [worker('tab'), worker('server')];
  const kept = new Map<string, FetchedFiles>();
  const resultStore: ResultStore = {
    put: async (id, files) => void kept.set(id, files),
    get: async (id) => kept.get(id)!,
    putReport: async (id, report) => void kept.set(id, { ...kept.get(id)!, report }),
    remove: async (id) => void kept.delete(id),
  };
  const controller = new AbortController();
  const choice = { isOn: true };
  const anonymiser = createRoutedAnonymiser(
    tab,
    () => (choice.isOn ? { anonymiser: server, signal: controller.signal } : undefined),
    resultStore,
  );
  const process = (): Promise<MediaResult> => anonymiser.process(FILE, settings, () => undefined, never);
  return { tab, server, kept, choice, controller, anonymiser, process };
};

it('a result of a server is downloaded, and the server keeps it only until it is deselected', async () => {
  const { tab, server, kept, choice, controller, anonymiser, process } = setUp();
  const result = await process();
  expect(server.forget).not.toHaveBeenCalled();
  choice.isOn = false;
  controller.abort();
  expect(server.forget).toHaveBeenCalledWith('1');
  expect(await (await anonymiser.file(result)).text()).toBe('server');
  expect(tab.process).not.toHaveBeenCalled();
  await anonymiser.forget(result.taskId);
  expect(kept.size).toBe(0);
  expect(tab.forget).not.toHaveBeenCalled();
});

it('decisions about a result of a server are recorded there, and only its report is downloaded again', async () => {
  const { tab, server, choice, anonymiser, process } = setUp();
  const result = await process();
  server.report.mockImplementation(async () => new Blob(['with decisions']));
  const decisions = [{ decision: 'visible', type_label: 'face', id: 1 }] as const;
  await anonymiser.recordDecisions(result, decisions);
  expect(server.recordDecisions).toHaveBeenCalledWith(expect.objectContaining({ taskId: '1' }), decisions);
  expect(await (await anonymiser.report(result))?.text()).toBe('with decisions');
  expect(server.file).toHaveBeenCalledTimes(1);
  expect(tab.recordDecisions).not.toHaveBeenCalled();
  choice.isOn = false;
  await expect(anonymiser.recordDecisions(result, decisions)).rejects.toThrow('is not selected any more');
});

it('a result of a server is edited there, and downloaded again', async () => {
  const { tab, server, choice, anonymiser, process } = setUp();
  const result = await process();
  const wanted = { settings, edits: NO_ITEM_EDITS };
  server.applyEdits.mockImplementation(async (own) => own);
  server.file.mockImplementation(async () => new Blob(['edited']));
  const edited = await anonymiser.applyEdits(result, wanted);
  expect(server.applyEdits.mock.calls[0]?.[0].taskId).toBe('1');
  expect(edited.taskId).toBe(result.taskId);
  expect(await (await anonymiser.file(edited)).text()).toBe('edited');
  choice.isOn = false;
  await expect(anonymiser.applyEdits(edited, wanted)).rejects.toThrow(ProcessingFailed);
  expect(tab.applyEdits).not.toHaveBeenCalled();
});

it('detections of a result that a server produced are those of its stored file', async () => {
  const { server, choice, anonymiser, process } = setUp();
  server.metadata.mockImplementation(async () => new Blob(['[{"id":7}]']));
  const result = await process();
  choice.isOn = false;
  expect(await anonymiser.detections(result)).toEqual([{ id: 7 }]);
  expect(server.detections).not.toHaveBeenCalled();
});

it('nothing is sent to a server that is not selected', async () => {
  const { server, choice, anonymiser, process } = setUp();
  choice.isOn = false;
  expect(await (await anonymiser.file(await process())).text()).toBe('tab');
  for (const call of Object.values(server)) expect(call).not.toHaveBeenCalled();
});

it('a file that is being processed when the server is deselected is processed in the tab', async () => {
  const { tab, server, controller, process } = setUp();
  server.process.mockImplementation(
    (_file, _settings, _onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
  const result = process();
  controller.abort();
  expect((await result).taskId).toBe('1');
  expect(tab.process).toHaveBeenCalledOnce();
});

it('a result that cannot be downloaded is still deleted on the server', async () => {
  const { server, process } = setUp();
  server.file.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(process()).rejects.toEqual(new ProcessingFailed('The server cannot be reached.'));
  expect(server.forget).toHaveBeenCalledWith('1');
});

it('a server that stores no masks can be used', async () => {
  const { server, anonymiser, process } = setUp();
  server.masks.mockRejectedValue(new RefusedRequest(404, 'No masks are saved.'));
  expect(await anonymiser.masks(await process())).toEqual([]);
});

it('a server is selected only after it has accepted the token', async () => {
  const status = vi.fn().mockRejectedValueOnce(new RefusedRequest(401, 'A token is needed.'));
  const choice = createServerChoice(
    {
      address: 'https://server',
      find: async () => true,
      client: () => ({ status }) as never,
    },
    Promise.resolve(),
  );
  expect(await choice.turnOn('')).toBe('A token is needed.');
  expect(choice.use.get().isOn).toBe(false);
  expect(await choice.turnOn('secret')).toBeUndefined();
  const use = choice.use.get();
  expect(use).toMatchObject({ isOn: true, token: 'secret' });
  choice.turnOff();
  expect(choice.use.get()).toEqual({ isOn: false });
  expect(use.isOn && use.signal.aborted).toBe(true);
});

it('the log of a result from a server comes from there, and cannot be read later', async () => {
  const { choice, anonymiser, process } = setUp();
  const result = await process();
  expect(await (await anonymiser.log(result)).csv.text()).toBe('log of server');
  choice.isOn = false;
  await expect(anonymiser.log(result)).rejects.toThrow('not selected any more');
});

it('the report of a result from a server is kept with it, and needs no server later', async () => {
  const { server, choice, anonymiser, process } = setUp();
  const result = await process();
  choice.isOn = false;
  expect(await (await anonymiser.report(result))?.text()).toBe('report of server');
  expect(server.report).toHaveBeenCalledOnce();
});
