import { expect, it, vi } from 'vitest';
import { DEFAULT_BAG_OPTIONS, type BagContents } from '#shared/domain/bag';
import { UnreadableFile } from '#shared/domain/failure';
import { defaultSettings } from '../settings';
import { ProcessingFailed } from '../work';
import { openBag, type BagHost, type BagResult } from './open-bag';

const CONTENTS: BagContents = { topics: [], durationS: 1, unkeptAttachments: [] };
const RESULT = { taskId: 'a', file: new Blob(['b']) } as BagResult;
const FILE = new File(['x'], 'a.mcap');

/** A bag whose run ends when the test says so. */
const opened = async (changes: Partial<BagHost> = {}, file = FILE) => {
  const forgotten: string[] = [];
  let end: { readonly resolve: (result: BagResult) => void; readonly reject: (cause: unknown) => void };
  const bag = openBag(file, {
    lackOfRoom: async () => undefined,
    list: async () => CONTENTS,
    anonymise: (_file, _how, onProgress, signal) => {
      onProgress({ done: 1, total: 2 });
      return new Promise((resolve, reject) => {
        end = { resolve, reject };
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    forget: (id) => void forgotten.push(id),
    reports: { report: vi.fn(), log: vi.fn() },
    ...changes,
  });
  const untilKind = (kind: string) => vi.waitFor(() => expect(bag.state.get().kind).toBe(kind));
  const run = async (): Promise<typeof end> => {
    await untilKind('listed');
    bag.run(defaultSettings(), DEFAULT_BAG_OPTIONS);
    expect(bag.state.get()).toEqual({ kind: 'running', contents: CONTENTS, progress: { done: 1, total: 2 } });
    return end;
  };
  return { bag, forgotten, untilKind, run };
};

it('a bag is listed, anonymised, and can be anonymised again without its last result', async () => {
  const { bag, forgotten, untilKind, run } = await opened();
  (await run()).resolve(RESULT);
  await untilKind('done');
  bag.again();
  expect([bag.state.get(), forgotten]).toEqual([{ kind: 'listed', contents: CONTENTS }, ['a']]);
});

it('a run that is stopped leaves the choice, and one that fails says why', async () => {
  const { bag, untilKind, run } = await opened();
  await run();
  bag.stop();
  await untilKind('listed');
  expect(bag.state.get()).toEqual({ kind: 'listed', contents: CONTENTS });
  for (const [cause, failure] of [
    [new ProcessingFailed('It is damaged.'), 'It is damaged.'],
    [new Error('a fault'), null],
  ] as const) {
    (await run()).reject(cause);
    await untilKind('listed');
    expect(bag.state.get()).toEqual({ kind: 'listed', contents: CONTENTS, failure });
  }
});

it('a bag that is closed ends its run, and its result is removed', async () => {
  const running = await opened();
  const ended = await running.run();
  const before = running.bag.state.get();
  running.bag.close();
  ended.resolve(RESULT);
  expect(running.bag.state.get()).toBe(before);
  const done = await opened();
  (await done.run()).resolve(RESULT);
  await done.untilKind('done');
  done.bag.close();
  expect(done.forgotten).toEqual(['a']);
});

it('a bag is refused before any work where it is of another format, damaged, or too large for the tab', async () => {
  const list = vi.fn<BagHost['list']>(() => Promise.reject(new UnreadableFile('The bag is damaged.')));
  const lack = { neededBytes: 2, freeBytes: 1 };
  const large = await opened({ list, lackOfRoom: async () => lack });
  await large.untilKind('too-large');
  expect(large.bag.state.get()).toEqual({ kind: 'too-large', ...lack });
  const old = await opened({ list }, new File(['#ROSBAG V2.0'], 'a.bag'));
  await old.untilKind('refused');
  expect(old.bag.state.get()).toMatchObject({ sentence: expect.stringContaining('ROS 1') });
  expect(list).not.toHaveBeenCalled();
  const damaged = await opened({ list });
  await damaged.untilKind('refused');
  expect(damaged.bag.state.get()).toMatchObject({ sentence: 'The bag is damaged.' });
});
