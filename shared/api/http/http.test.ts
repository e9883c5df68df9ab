import { expect, test } from 'vitest';
import { headerText, headerValue } from './http';

test.each(['once', 'schlüssel', '鍵', '🔑 1', 'é\u0080'])('text is unchanged after HTTP: %s', (text) => {
  const { value } = Object.fromEntries(new Headers({ value: headerValue(text) }));
  expect(headerText(value ?? '')).toBe(text);
  expect(headerText(text)).toBe(text);
});

test('UTF-8 is decoded, and other bytes are read as one character each', () => {
  expect(headerText('schl\u00c3\u00bcssel')).toBe('schlüssel');
  expect(headerText('schl\u00fcssel')).toBe('schlüssel');
});

test('only spaces and tabs around a value are removed', () => {
  expect(headerText(' \ta b\t ')).toBe('a b');
  expect(headerText('\u00a0')).toBe('\u00a0');
  expect(headerText('\u00ef\u00bb\u00bfonce')).toBe('\ufeffonce');
});
