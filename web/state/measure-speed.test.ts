import { expect, it } from 'vitest';
import { measureSpeed } from './measure-speed';
import { defaultSettings } from './settings';
import type { Anonymiser } from './work';

it('speed is the median of the runs after the warm-up, and no task remains', async () => {
  const durations = [9, 0.4, 0.8, 0.5];
  const forgotten: string[] = [];
  let runs = 0;
  const anonymiser = {
    process: async () => ({
      taskId: `task-${runs}`,
      width: 1000,
      height: 1000,
      durationS: durations[runs++] ?? 0,
    }),
    forget: async (taskId: string) => void forgotten.push(taskId),
  } as unknown as Anonymiser;
  const speed = await measureSpeed(
    anonymiser,
    async () => new File([], 'test.jpg'),
    defaultSettings(),
    new AbortController().signal,
  );
  expect(speed).toEqual({ seconds: 0.5, megapixelsPerSecond: 2 });
  expect(forgotten).toEqual(['task-0', 'task-1', 'task-2', 'task-3']);
});
