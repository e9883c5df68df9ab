import { expect, it } from 'vitest';
import { firstKnown } from './language';

it.each([
  ['the one that was chosen', 'de', ['en-GB'], 'de'],
  ['the best that the browser wants', null, ['fr-FR', 'de-AT', 'en'], 'de'],
  ['English where none is known', null, ['fr', 'ja'], 'en'],
  ['the browser’s where what was chosen is no longer there', 'xx', ['de'], 'de'],
  ['English where the browser says nothing', null, [], 'en'],
])('the page speaks %s', (_, chosen, wanted, language) => {
  expect(firstKnown(chosen, wanted)).toBe(language);
});
