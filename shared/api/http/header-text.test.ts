import { expect, test } from 'vitest';
import { headerText, headerValue } from './header-text';

test.each(['once', 'schlüssel', '鍵', '🔑 1', 'é\u0080'])('text goes through HTTP as it is: %s', (text) => {
  const { value } = Object.fromEntries(new Headers({ value: headerValue(text) }));
  expect(headerText(value ?? '')).toBe(text);
  expect(headerText(text)).toBe(text);
});

test('text that came as UTF-8 is read as such, other bytes one by one', () => {
  expect(headerText('schl\u00c3\u00bcssel')).toBe('schlüssel');
  expect(headerText('schl\u00fcssel')).toBe('schlüssel');
});

test('only what HTTP lets stand around a value is no part of it', () => {
  expect(headerText(' \ta b\t ')).toBe('a b');
  expect(headerText('\u00a0')).toBe('\u00a0');
  expect(headerText('\u00ef\u00bb\u00bfonce')).toBe('\ufeffonce');
});
