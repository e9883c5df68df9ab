import { expect, it } from 'vitest';
import { anonymisedName, maskName, metadataName } from './download-names';

it.each([
  ['street.jpg', 'image/jpeg', 'street-anonymised.jpg'],
  ['street.JPEG', 'image/jpeg', 'street-anonymised.JPEG'],
  ['a.b.png', 'image/png', 'a.b-anonymised.png'],
  ['really-a-png.jpg', 'image/png', 'really-a-png-anonymised.png'],
  ['no-extension', 'image/jpeg', 'no-extension-anonymised.jpg'],
  ['.hidden', 'image/png', '.hidden-anonymised.png'],
])('the result of %s, of type %s, is saved as %s', (name, contentType, saved) => {
  expect(anonymisedName(name, contentType)).toBe(saved);
});

it('masks and metadata have the same names as in batch mode', () => {
  expect(maskName('street.jpeg', 'binary')).toBe('street_bin_mask.png');
  expect(maskName('a.b', 'instance')).toBe('a_ins_mask.png');
  expect(metadataName('street.jpeg')).toBe('street.json');
});
