import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServerChoice, type ServerAccess } from './server-use';

const asked: string[] = [];
const ACCESS = {
  address: 'http://localhost:7000',
  find: async () => true,
  client: (token: string) => ({ status: async () => void asked.push(token) }),
} as unknown as ServerAccess;

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a server', () => {
  it('gets no request before requests are counted', async () => {
    let begin = (): void => undefined;
    const counting = new Promise<void>((resolve) => (begin = resolve));
    const choice = createServerChoice(ACCESS, counting);
    const turned = choice.turnOn('secret');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([asked, choice.use.get().isOn]).toEqual([[], false]);
    begin();
    expect(await turned).toBeUndefined();
    expect([asked, choice.use.get().isOn]).toEqual([['secret'], true]);
  });

  it.each([
    ['is refused', () => Promise.reject(new Error('no service workers'))],
    ['does not begin', () => new Promise<void>(() => undefined)],
  ])('can be used in a browser in which counting %s', async (_name, counting) => {
    const choice = createServerChoice(ACCESS, counting());
    const turned = choice.turnOn('');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await turned).toBeUndefined();
    expect(choice.use.get().isOn).toBe(true);
  });
});
