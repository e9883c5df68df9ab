import { expect, it } from 'vitest';
import { savedName } from './save';

it.each([
  ['street.jpg', 'image/jpeg', 'street-anonymised.jpg'],
  ['street.JPEG', 'image/jpeg', 'street-anonymised.JPEG'],
  ['a.b.png', 'image/png', 'a.b-anonymised.png'],
  ['really-a-png.jpg', 'image/png', 'really-a-png-anonymised.png'],
  ['no-extension', 'image/jpeg', 'no-extension-anonymised.jpg'],
  ['.hidden', 'image/png', '.hidden-anonymised.png'],
])('%s, which is %s, is saved as %s', (name, contentType, saved) => {
  expect(savedName(name, contentType)).toBe(saved);
});
