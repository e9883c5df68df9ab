import { imageFile } from '../../testing/image-files';
import { expect, it } from 'vitest';
import {
  concatBytes,
  exifBytes,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  jpegExif,
  jpegFile,
  jpegFrame,
  jpegSegment,
  pngChunk,
  pngFile,
} from '../../testing/image-bytes';
import { smallImage } from '../../testing/small-images';
import { sniff } from '../../testing/sniffed-files';
import { xmpPacket } from '../../testing/xmp-packets';
import { bytesAt } from './header-reader';
import { findMetadata } from './read-header';

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (c) => c.charCodeAt(0));
const jpegWith = (...segments: readonly Uint8Array[]): Uint8Array =>
  concatBytes(JPEG_START, ...segments, jpegFrame(8, 8), JPEG_SCAN, JPEG_END);

const webpWith = (type: string, payload: Uint8Array): Uint8Array => {
  const even = concatBytes(payload, payload.length % 2 === 0 ? [] : [0]);
  const file = concatBytes(smallImage('webp'), text(type), [0, 0, 0, 0], even);
  const view = new DataView(file.buffer);
  view.setUint32(4, file.length - 8, true);
  view.setUint32(file.length - even.length - 4, payload.length, true);
  return file;
};

/** Entries are tag and value; each IFD is at the offset that the one before contains. */
const tiff = (first: readonly (readonly [number, number])[], next = 0, ...others: readonly Uint8Array[]) => {
  const u16 = (value: number): number[] => [value >> 8, value & 255];
  const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
  const rows = first.flatMap(([tag, value]) => [...u16(tag), ...u16(4), ...u32(1), ...u32(value)]);
  return concatBytes(text('MM'), u16(42), u32(8), u16(first.length), rows, u32(next), ...others);
};
const NOWHERE = 0xffff;

it.each([
  ['a JPEG', jpegFile(8, 8)],
  ['a PNG', pngFile(8, 8)],
  ['no image', text('hello')],
  ['an empty file', new Uint8Array()],
])('%s without metadata has no kinds', async (_, bytes) => {
  expect(await findMetadata(bytes)).toEqual([]);
});

it.each([
  ['exif', jpegExif(exifBytes(6))],
  ['xmp', jpegSegment(0xe1, text('http://ns.adobe.com/xap/1.0/\0<x>'))],
  ['colour-profile', jpegSegment(0xe2, text('ICC_PROFILE\0'))],
  ['other-pictures', jpegSegment(0xe2, text('MPF\0'))],
  ['iptc', jpegSegment(0xed, text('Photoshop 3.0\0'))],
  ['text', jpegSegment(0xfe, text('by Ann'))],
  ['thumbnail', jpegSegment(0xe0, text('JFXX\0'))],
  ['other', jpegSegment(0xeb, text('JP jumbf'))],
])('%s is found in a JPEG', async (kind, segment) => {
  expect(await findMetadata(jpegWith(segment))).toEqual([kind]);
});

const XMP = text(
  xmpPacket('GPano:SourcePhotosCount="3" exif:GPSImgDirection="12" xmp:CreateDate="2026-05-04"'),
);
it.each([
  ['JPEG', jpegWith(jpegSegment(0xe1, concatBytes(text('http://ns.adobe.com/xap/1.0/\0'), XMP)))],
  ['PNG', pngFile(8, 8, pngChunk('iTXt', concatBytes(text('XML:com.adobe.xmp\0\0\0\0\0'), XMP)))],
  ['WebP', webpWith('XMP ', XMP)],
])('position, capture time and panorama are found in the XMP of a %s', async (_, bytes) => {
  expect(await findMetadata(bytes)).toEqual(['place', 'capture-time', 'xmp', 'panorama']);
  const { xmp = [] } = await sniff(bytes);
  expect(bytesAt(bytes, xmp)).toEqual(XMP);
});

it('the continuation of XMP in further segments of a JPEG is not read', async () => {
  const extension = jpegSegment(0xe1, concatBytes(text('http://ns.adobe.com/xmp/extension/\0'), XMP));
  expect(await findMetadata(jpegWith(extension))).toEqual(['xmp']);
  expect((await sniff(jpegWith(extension))).xmp).toBeUndefined();
});

it('chunks that every decoder needs are no metadata', async () => {
  const jfif = jpegSegment(0xe0, text('JFIF\0\x01\x02'));
  const adobe = jpegSegment(0xee, text('Adobe\0'));
  expect(await findMetadata(jpegWith(jfif, adobe))).toEqual([]);
});

it('GPS position, thumbnail and maker notes are found in EXIF', async () => {
  const exif = concatBytes(tiff([[0x8825, NOWHERE], [0x8769, 38]], 200), [0, 1, 0x92, 0x7c, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // oxfmt-ignore
  expect(await findMetadata(jpegWith(jpegExif(exif)))).toEqual(['place', 'thumbnail', 'exif', 'maker-notes']);
});

it.each([
  ['text', pngChunk('tEXt', text('Author\0Ann'))],
  ['xmp', pngChunk('iTXt', text('XML:com.adobe.xmp\0'))],
  ['time', pngChunk('tIME', [7, 234, 1, 1, 0, 0, 0])],
  ['exif', pngChunk('eXIf', exifBytes(1))],
  ['other', pngChunk('caBX', [1])],
])('%s is found in a PNG', async (kind, chunk) => {
  expect(await findMetadata(pngFile(8, 8, chunk))).toEqual([kind]);
});

it.each([
  ['a JPEG', jpegFile(8, 8)],
  ['a PNG', pngFile(8, 8)],
])('bytes behind the end of %s are found', async (_, bytes) => {
  expect(await findMetadata(concatBytes(bytes, text('MotionPhoto')))).toEqual(['trailer']);
});

it('a truncated file is read up to its end', async () => {
  const whole = jpegWith(jpegExif(exifBytes(6)), jpegSegment(0xfe, text('by Ann')));
  for (let end = 0; end <= whole.length; end++) {
    expect(['exif', 'text', 'other', 'trailer']).toEqual(
      expect.arrayContaining([...(await findMetadata(whole.subarray(0, end)))]),
    );
  }
});

it.each([
  ['p3.heic', ['place', 'exif', 'colour-profile']],
  ['second-of-two.heic', ['thumbnail', 'other-pictures']],
  ['turned.avif', ['place', 'exif']],
  ['adobe.tif', ['exif', 'colour-profile']],
])('%s is read for what it contains next to its pixels', async (name, kinds) => {
  expect(await findMetadata(imageFile(name))).toEqual(kinds);
});

it('a file of any format that is cut off is read as far as it goes', async () => {
  for (const name of ['p3.heic', 'adobe.tif', 'turned.avif']) {
    const file = imageFile(name);
    for (let length = 0; length < file.length; length += 13) {
      await findMetadata(file.subarray(0, length));
    }
  }
});
