import { describe, expect, it, test } from 'vitest';
import { KEPT_PROPERTIES } from './kept-fields';
import { writeXmp } from './write-xmp';
import { readXmp } from './xmp';
import { xmpPacket } from '../../testing/xmp-packets';

const read = (xml: string): Record<string, string> =>
  Object.fromEntries(
    readXmp(new TextEncoder().encode(xml)).map(({ prefix, name, value }) => [`${prefix}:${name}`, value]),
  );
const written = (xml: string): string =>
  new TextDecoder().decode(writeXmp(new TextEncoder().encode(xml)) ?? new Uint8Array());

describe('a packet of XMP', () => {
  const kept = {
    'GPano:ProjectionType': 'equirectangular',
    'GPano:PoseHeadingDegrees': '-12.5',
    'exif:GPSImgDirection': '12300/100',
    'exif:DateTimeOriginal': '2026-05-04T12:30:01.25+02:00',
  };
  const attributes = Object.entries(kept).map(([name, value]) => `${name}="${value}"`);
  const elements = Object.entries(kept).map(([name, value]) => `<${name}> ${value}\n</${name}>`);

  it.each([
    ['attributes', xmpPacket(attributes.join(' '))],
    ['elements', xmpPacket('', elements.join(''))],
    ['attributes in single quotes', xmpPacket(attributes.join('\n').replaceAll('"', "'"))],
    [
      'other prefixes',
      xmpPacket(attributes.join(' ')).replaceAll('GPano:', 'p:').replace('xmlns:GPano', 'xmlns:p'),
    ],
    ['no element around it', xmpPacket(attributes.join(' ')).replace(/<\/?x:xmpmeta[^>]*>/g, '')],
    [
      'comments and instructions',
      `<?xpacket begin=""?><!-- <a> -->${xmpPacket(attributes.join(' '))}<?xpacket end="w"?>`,
    ],
  ])('is read with its properties as %s', (_name, xml) => {
    expect(read(xml)).toEqual(kept);
  });

  it('is written anew with the allowed properties alone, and reads the same', () => {
    const source = xmpPacket(
      `${attributes.join(' ')} dc:creator="Ann" GPano:StitchingSoftware="Ann's" xmpMM:DocumentID="Ann"`,
      '<dc:title>Ann</dc:title><mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:Name>Ann</mwg-rs:Name></mwg-rs:Regions>',
    );
    expect(read(written(source))).toEqual(kept);
    expect(written(source)).not.toMatch(/Ann|mwg|dc:/);
  });

  it('has a property once: the first one counts', () => {
    const twice = xmpPacket(
      'GPano:SourcePhotosCount="3"',
      '<GPano:SourcePhotosCount>4</GPano:SourcePhotosCount>',
    );
    expect(read(twice)).toEqual({ 'GPano:SourcePhotosCount': '3' });
  });

  it('with nothing allowed is left out', () => {
    expect(written(xmpPacket('dc:creator="Ann"'))).toBe('');
  });
});

test.each([
  ['GPano:ProjectionType="Ann"'],
  ['GPano:PoseHeadingDegrees="12 Ann"'],
  ['GPano:PoseHeadingDegrees="1e5"'],
  ['GPano:UsePanoramaViewer="yes"'],
  ['GPano:FullPanoWidthPixels="123456789"'],
  ['exif:GPSLatitude="52,31.0N Ann"'],
  ['exif:GPSLatitude="&lat;"'],
  ['exif:GPSImgDirectionRef="Ann"'],
  ['exif:DateTimeOriginal="yesterday"'],
  ['xmp:CreateDate="2026-05-04T12:30:01 Ann"'],
  ['exif:UserComment="1"'],
])('a value of another form than its property has is not kept: %s', (attribute) => {
  expect(read(xmpPacket(attribute))).toEqual({});
});

test.each([
  [
    'a part of a structure',
    xmpPacket('', '<mwg-rs:Regions><GPano:SourcePhotosCount>3</GPano:SourcePhotosCount></mwg-rs:Regions>'),
  ],
  [
    'a list',
    xmpPacket(
      '',
      '<exif:DateTimeOriginal><rdf:Seq><rdf:li>2026-05-04</rdf:li></rdf:Seq></exif:DateTimeOriginal>',
    ),
  ],
  [
    'a property of another name space',
    xmpPacket('GPano:SourcePhotosCount="3"').replace('/panorama/', '/other/'),
  ],
  [
    'a prefix without a name space',
    xmpPacket('GPano:SourcePhotosCount="3"').replace('xmlns:GPano', 'xmlns:other'),
  ],
])('%s is not kept', (_name, xml) => {
  expect(read(xml)).toEqual({});
});

const SOUND = xmpPacket('GPano:SourcePhotosCount="3"');
test.each([
  ['a document type', `<!DOCTYPE x [<!ENTITY a "3">]>${SOUND}`],
  ['characters that are not marked up', SOUND.replace('</rdf:RDF>', '<![CDATA[x]]></rdf:RDF>')],
  ['a missing end', SOUND.slice(0, -5)],
  ['ends in a wrong order', SOUND.replace('</rdf:RDF></x:xmpmeta>', '</x:xmpmeta></rdf:RDF>')],
  ['an attribute without quotes', SOUND.replace('"3"', '3')],
  ['an open comment', `${SOUND}<!-- `],
  [
    'more elements in one another than there are',
    SOUND.replace('</rdf:RDF>', `${'<a>'.repeat(99)}${'</a>'.repeat(99)}</rdf:RDF>`),
  ],
  ['more than a quarter of a megabyte', SOUND + ' '.repeat(2 ** 18)],
  [
    'more name spaces than there are',
    SOUND.replace(
      'rdf:about',
      `${Array.from({ length: 300 }, (_, i) => `xmlns:n${i}="a"`).join(' ')} rdf:about`,
    ),
  ],
])('a packet with %s is not read', (_name, xml) => {
  expect(read(SOUND)).not.toEqual({});
  expect(read(xml)).toEqual({});
});

it('never throws, whichever byte of a packet is changed', () => {
  const packet = new TextEncoder().encode(SOUND);
  for (let at = 0; at < packet.length; at++) {
    for (const value of [0x22, 0x3c, 0xff]) {
      const changed = packet.slice();
      changed[at] = value;
      expect(readXmp(changed).every(({ name }) => name === 'SourcePhotosCount')).toBe(true);
    }
  }
});

it('no allowed form has a character that would end an attribute, and each has an end', () => {
  for (const [form] of KEPT_PROPERTIES.flatMap(({ forms }) => forms)) {
    expect(form.source).toMatch(/^\^.*\$$/);
    expect(['"', '<', '&', "'"].some((character) => form.source.includes(character))).toBe(false);
  }
});
