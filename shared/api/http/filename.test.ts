import { expect, test } from 'vitest';
import { LIMITS } from '../../domain/limits';
import { sanitiseFilename } from './filename';

test.each([
  ['street.jpg', 'street.jpg'],
  ['Straße 1 – façade.jpg', 'Straße 1 – façade.jpg'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\me\\street.jpg', 'street.jpg'],
  ['../..', 'image.jpg'],
  ['..', 'image.jpg'],
  ['', 'image.jpg'],
  [null, 'image.jpg'],
  ['a\r\nSet-Cookie: b\0.jpg', 'aSet-Cookie: b.jpg'],
  ['gpj.\u202eexe', 'gpj.exe'],
  ['\ud800.jpg', '.jpg'],
])('%j is reported as %j', (sent, reported) => {
  expect(sanitiseFilename(sent, 'image.jpg')).toBe(reported);
});

test('a long name is shortened with its extension and without broken characters', () => {
  const name = sanitiseFilename(`${'😀'.repeat(400)}.jpeg`, 'image.jpg');
  expect([...name]).toHaveLength(LIMITS.maxFilenameChars);
  expect(name.endsWith('😀.jpeg')).toBe(true);
});
