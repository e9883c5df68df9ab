import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { LanguageProvider } from '../messages';
import { german } from '../messages/de';
import { StageNotice } from './stage-notice';

const GERMAN = { language: 'de', messages: german, choose: () => undefined } as const;

it.each([
  ['in German where there is a text', 'The file is empty.', 'Die Datei ist leer.', null],
  ['in English, and marked as such, where there is none', 'A bird hit it.', 'A bird hit it.', 'en'],
])('a German page says why a file failed %s', async (_where, error, said, language) => {
  await renderPart(stateWith({ 'a.jpg': resultWith('a', []) }), (item) => (
    <LanguageProvider value={GERMAN}>
      <StageNotice item={{ ...item, status: 'failed', error }} />
    </LanguageProvider>
  ));
  const sentence = page.getByText(said);
  await expect.element(sentence).toBeVisible();
  expect(sentence.element().getAttribute('lang')).toBe(language);
});
