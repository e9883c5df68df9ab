import { afterEach, expect, it, vi } from 'vitest';
import { ENGLISH, LANGUAGE_CODES, loadCatalogue } from '../messages';
import { firstKnown, loadFirstCatalogue } from './language';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['the language that the user selected', 'de', ['en-GB'], 'de'],
  ['the first known language of the browser', null, ['fr-FR', 'de-AT', 'en'], 'de'],
  ['English if no language is known', null, ['fr', 'ja'], 'en'],
  ['the language of the browser if the selected one no longer exists', 'xx', ['de'], 'de'],
  ['English if the browser names no language', null, [], 'en'],
])('the page appears in %s', (_, chosen, wanted, language) => {
  expect(firstKnown(chosen, wanted)).toBe(language);
});

it.each(LANGUAGE_CODES)('the catalogue of the language %s can be loaded', async (language) => {
  const loaded = await loadCatalogue(language);
  expect(loaded.language).toBe(language);
  expect(loaded.messages === ENGLISH.messages).toBe(language === 'en');
});

it('the first catalogue is the one of the browser’s language', async () => {
  vi.stubGlobal('navigator', { languages: ['de-DE'] });
  expect((await loadFirstCatalogue()).language).toBe('de');
});

it('the page appears in English if a catalogue cannot be loaded', async () => {
  vi.stubGlobal('navigator', { languages: ['de-DE'] });
  expect(await loadFirstCatalogue(() => Promise.reject(new TypeError('no network')))).toBe(ENGLISH);
});
