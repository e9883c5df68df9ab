import { describe, expect, it } from 'vitest';
import type { EngineProcess } from './engine-process';
import type { EngineProcessOptions } from './served-process';
import { createTaskProcesses } from './task-processes';

/** Processes whose calls end when the test says so. */
const fakeProcesses = () => {
  const opened: Partial<EngineProcessOptions>[] = [];
  const closed: number[] = [];
  const silent = new Set<number>();
  const running: { readonly process: number; readonly end: (error?: Error) => void }[] = [];
  const open = (changes: Partial<EngineProcessOptions>): EngineProcess => {
    const process = opened.push(changes) - 1;
    return {
      call: () =>
        new Promise((resolve, reject) => {
          running.push({ process, end: (error) => (error ? reject(error) : resolve(undefined)) });
        }),
      start: async () => ({ takesVideo: true, convertsVideo: false }),
      isAnswering: () => !silent.has(process),
      close: async () => void closed.push(process),
    };
  };
  return { opened, closed, silent, running, open };
};

describe('the processes of tasks', () => {
  it('are one where one file is processed at a time', () => {
    const { open, opened, running } = fakeProcesses();
    const tasks = createTaskProcesses(open, 1);
    void tasks.call('anonymiseImage', []);
    void tasks.call('anonymiseVideo', []);
    expect(running.map(({ process }) => process)).toEqual([0, 0]);
    expect(opened).toEqual([{}]);
  });

  it('are one for images, and one for each running video, which has one thread', () => {
    const { open, opened, running } = fakeProcesses();
    const tasks = createTaskProcesses(open, 2);
    for (const method of ['anonymiseImage', 'anonymiseVideo', 'renderVideo', 'anonymiseImage', 'load']) {
      void tasks.call(method, []);
    }
    expect(running.map(({ process }) => process)).toEqual([0, 1, 2, 0, 0]);
    const forVideos = { workers: 1, startsLate: true };
    expect(opened).toEqual([{}, forVideos, forVideos]);
  });

  it('take the next video where the last one ended or failed, instead of starting another process', async () => {
    const { open, opened, running } = fakeProcesses();
    const tasks = createTaskProcesses(open, 2);
    const first = tasks.call('anonymiseVideo', []);
    running[0]!.end();
    await first;
    const second = tasks.call('surveyVideo', []);
    running[1]!.end(new Error('unreadable'));
    await expect(second).rejects.toThrow('unreadable');
    void tasks.call('matchTracks', []);
    expect(running.map(({ process }) => process)).toEqual([1, 1, 1]);
    expect(opened).toHaveLength(2);
  });

  it('answer where all of them answer, and are closed together', async () => {
    const { open, closed, silent } = fakeProcesses();
    const tasks = createTaskProcesses(open, 2);
    void tasks.call('anonymiseVideo', []);
    expect(tasks.isAnswering()).toBe(true);
    silent.add(1);
    expect(tasks.isAnswering()).toBe(false);
    await tasks.close();
    expect(closed).toEqual([0, 1]);
  });
});
