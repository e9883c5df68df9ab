import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDisposition } from './content-disposition';

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
