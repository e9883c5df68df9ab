import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { VideoJob } from '#shared/ports/engine';
import { makeBag } from '#shared/testing/bags';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';

let folder: BatchFolder;
beforeEach(() => {
  folder = createBatchFolder();
});

const bag = (): Promise<Uint8Array> => makeBag({ channels: [], chunks: [[]], metadata: ['x'.repeat(200)] });

it('a bag is processed with the options of its flags, and its result is a bag', async () => {
  const { at, output, write, run } = folder;
  write('in/drive.mcap', await bag());
  const jobs: VideoJob[] = [];
  const video = { frameCount: 2, during: async (job: VideoJob) => void jobs.push(job) };
  const flags = [
    ...['--topics', '/a', '--topics', '/b', '--start', '2s', '--end', '1m', '--drop-topic', '/c'],
    ...['--keep-topic', '/d', '--keep-depth', '--keep-attachments', '--suffix', '_safe', '--save-metadata'],
  ];
  const { isDone, of } = await run([at('in'), ...flags, '--save-mask', 'all', '--export', 'jsonl'], {
    video,
  });
  expect(isDone).toBe(true);
  expect(jobs).toMatchObject([
    {
      bag: {
        ...{ topics: ['/a', '/b'], startS: 2, endS: 60, dropTopics: ['/c'], keepTopics: ['/d'] },
        ...{ keepDepth: true, keepAttachments: true },
      },
    },
  ]);
  expect(filesOf(output)).toEqual(['drive_safe.json', 'drive_safe.jsonl', 'drive_safe.mcap']);
  expect(of('done')).toMatchObject([{ output: join(output, 'drive_safe.mcap'), padding: [0, 0] }]);
});

it('a bag is skipped when it was done with the same flags, and done again with others', async () => {
  const { at, write, run } = folder;
  write('in/drive.mcap', await bag());
  const counts = [];
  for (const flags of [[], [], ['--keep-depth'], ['--keep-depth']]) {
    counts.push((await run([at('in'), ...flags])).processed);
  }
  expect(counts).toEqual([1, 0, 1, 0]);
});

it('a bag that cannot be read fails with a sentence, and leaves no file', async () => {
  const { at, output, write, run } = folder;
  write('in/drive.mcap', await bag());
  const video = { frameCount: 2, unreadable: 'The bag is truncated: it has no end.' };
  const { failed, end } = await run([at('in')], { video });
  expect(failed.map(({ error }) => error)).toEqual([video.unreadable]);
  expect(end).toMatchObject({ done: 0, failed: 1 });
  expect(filesOf(output)).toEqual([]);
});

it('a bag of a stopped run leaves no file, and begins again with the next run', async () => {
  const { at, output, write, run } = folder;
  write('in/drive.mcap', await bag());
  const stop = new AbortController();
  const video = { frameCount: 2, during: async () => stop.abort('SIGINT') };
  expect((await run([at('in')], { video, stop })).end).toMatchObject({ done: 0, open: 1 });
  expect(filesOf(output)).toEqual([]);
  expect((await run([at('in')])).processed).toBe(1);
  expect(filesOf(output)).toEqual(['drive.mcap']);
});

it.each<readonly [string, string, string, RegExp]>([
  ['a ROS 1 bag', 'a.bag', '#ROSBAG V2.0\n', /ROS 1 bag; convert it to MCAP first: mcap convert/],
  ['a ROS 2 bag of SQLite', 'a.db3', 'SQLite format 3\0', /convert it to MCAP first: ros2 bag convert/],
  ['a file that is only named so', 'a.mcap', 'nothing', /not an image/],
])('%s is refused by a sentence', async (_name, file, content, expected) => {
  const { at, write, run } = folder;
  write(`in/${file}`, content);
  const { failed } = await run([at('in')]);
  expect(failed.map(({ error }) => error)).toEqual([expect.stringMatching(expected)]);
});

it.each([
  ['--preview', '3s'],
  ['--from', 'given.jsonl'],
  ['--edits', 'edits.json'],
])('%s is refused with a bag', async (flag, value) => {
  const { at, write, run } = folder;
  const path = write('in/drive.mcap', await bag());
  write('given.jsonl', '{"width":1,"height":1,"objects":[]}');
  write('edits.json', '{}');
  const { failed } = await run([path, flag, flag === '--preview' ? value : at(value)]);
  expect(failed.map(({ error }) => error)).toEqual([
    expect.stringContaining(`${flag} does not apply to MCAP bags`),
  ]);
});
