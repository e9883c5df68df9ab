import { describe, expect, it } from 'vitest';
import { choose, chooseAll, NOTHING_SELECTED, steppedTo, withoutRemoved, type Selection } from './selection';

const ORDER = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const ids = ({ ids: chosen }: Selection): string => [...chosen].sort().join('');
const alone = (id: string): Selection => choose(NOTHING_SELECTED, ORDER, id, 'alone');

describe('the selection of files', () => {
  it('is replaced by one file, or one file is added or removed', () => {
    expect(ids(choose(alone('b'), ORDER, 'd', 'alone'))).toBe('d');
    const both = choose(alone('b'), ORDER, 'd', 'added');
    expect(ids(both)).toBe('bd');
    expect(ids(choose(both, ORDER, 'b', 'added'))).toBe('d');
  });

  it('extends to a range from the last selected file, in both directions, repeatedly', () => {
    const on = choose(alone('c'), ORDER, 'e', 'range');
    expect(ids(on)).toBe('cde');
    expect(ids(choose(on, ORDER, 'a', 'range'))).toBe('abc');
    expect(ids(choose(NOTHING_SELECTED, ORDER, 'e', 'range'))).toBe('e');
  });

  it('can contain all files, and loses removed ones', () => {
    const all = chooseAll(alone('b'), ORDER);
    expect(ids(all)).toBe('abcdefg');
    expect(withoutRemoved(all, ['a', 'c'])).toEqual({ ids: new Set(['a', 'c']), active: null, anchor: null });
  });
});

describe('keys move the selection in a grid of three columns', () => {
  it.each([
    ['ArrowRight', 'a', 'b'],
    ['ArrowRight', 'g', 'g'],
    ['ArrowLeft', 'a', 'a'],
    ['ArrowDown', 'b', 'e'],
    ['ArrowDown', 'e', 'e'],
    ['ArrowUp', 'g', 'd'],
    ['ArrowUp', 'b', 'b'],
    ['Home', 'f', 'a'],
    ['End', 'b', 'g'],
    ['PageDown', 'a', 'g'],
    ['PageUp', 'g', 'a'],
    ['ArrowDown', null, 'a'],
    ['x', 'a', undefined],
  ])('%s at %s leads to %s', (key, from, to) => {
    expect(steppedTo(ORDER, from, key, { columns: 3, rows: 2 })).toBe(to);
  });
});
