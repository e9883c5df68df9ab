import { describe, expect, it } from 'vitest';
import { alternate } from './alternate';

describe('compared programs', () => {
  it('run in turn, round by round', async () => {
    const order: string[] = [];
    const measured = await alternate(['A', 'B'], 3, (name) => Promise.resolve(order.push(name)));
    expect(order.join('')).toBe('ABABAB');
    expect([...measured]).toEqual([
      ['A', { runs: [1, 3, 5] }],
      ['B', { runs: [2, 4, 6] }],
    ]);
  });

  it('do not run again after a failure, and do not stop the others', async () => {
    let tries = 0;
    const measured = await alternate(['A', 'B'], 3, (name) => {
      if (name === 'B') return Promise.resolve(1);
      tries++;
      return Promise.reject(new Error('it is out of memory'));
    });
    expect(tries).toBe(1);
    expect(measured.get('A')).toEqual({ problem: 'it is out of memory' });
    expect(measured.get('B')).toEqual({ runs: [1, 1, 1] });
  });
});
