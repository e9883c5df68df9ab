import { expect, it } from 'vitest';
import { unreadableWord } from './read-text';

it('a word with a letter that the reader lacks is named', () => {
  expect(unreadableWord('Müller, Straße')).toBe('straße');
  expect(unreadableWord('Platform 2')).toBeUndefined();
});
