import { expect, test } from 'vitest';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import { createSlots } from './slots';

test('as many tasks as there are slots run at a time, and the next one starts when a slot is left', async () => {
  const slots = createSlots(1, createFakeTimer());
  const leave = await slots.take(1_000);
  const second = slots.take(1_000);
  expect(slots.taken()).toBe(1);
  leave?.();
  expect(await second).toBeDefined();
  expect(slots.taken()).toBe(1);
  (await second)?.();
  expect(slots.taken()).toBe(0);
});

test('a task that gets no slot in time gets none later', async () => {
  const timer = createFakeTimer();
  const slots = createSlots(1, timer);
  const leave = await slots.take(1_000);
  const second = slots.take(1_000);
  timer.elapse();
  expect(await second).toBeUndefined();
  leave?.();
  expect(slots.taken()).toBe(0);
});
