import { expect, test, it } from 'vitest';
import { LIMITS } from '../../domain/limits';
import { sanitiseFilename, contentDisposition, anonymisedName, maskName, metadataName } from './filename';
import fc from 'fast-check';

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

it('the name of a preview says how long it is', () => {
  expect(anonymisedName('trip.mov', 'video/mp4', 0.5)).toBe('trip-preview-0.5s-anonymised.mp4');
});

it('masks and metadata have the same names as in batch mode', () => {
  expect(maskName('street.jpeg', 'binary')).toBe('street_bin_mask.png');
  expect(maskName('a.b', 'instance')).toBe('a_ins_mask.png');
  expect(metadataName('street.jpeg')).toBe('street.json');
});

const HEADER =
  /^inline; filename="([\w .()+,=@-]+)"(?:; filename\*=UTF-8''((?:[\w.~!$&+^`|#-]|%[\dA-F]{2})+))?$/;

const nameIn = (header: string): string => {
  const [, plain = '', exact] = HEADER.exec(header) ?? [];
  return exact === undefined ? plain : decodeURIComponent(exact);
};

test('the header is well-formed and contains no folder, for every file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const header = contentDisposition(name);
      expect(header).toMatch(HEADER);
      expect(nameIn(header)).not.toMatch(/^\.|[/\\\p{Cc}]/u);
    }),
  );
});

test.each([
  ['a.jpg', 'inline; filename="a.jpg"'],
  ['a"; x="b.jpg', 'inline; filename="a__ x=_b.jpg"; filename*=UTF-8\'\'a%22%3B%20x%3D%22b.jpg'],
  [
    'a\r\nSet-Cookie: b.jpg',
    'inline; filename="aSet-Cookie_ b.jpg"; filename*=UTF-8\'\'aSet-Cookie%3A%20b.jpg',
  ],
  ['C:\\Windows\\a.jpg', 'inline; filename="a.jpg"'],
  ['\ud800.jpg', 'inline; filename="jpg"'],
  ['a\u202egpj.exe', 'inline; filename="agpj.exe"'],
  ['..', 'inline; filename="file"'],
  ['', 'inline; filename="file"'],
  ['100%.jpg', 'inline; filename="100_.jpg"; filename*=UTF-8\'\'100%25.jpg'],
])('the name %j gives the header %s', (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

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
