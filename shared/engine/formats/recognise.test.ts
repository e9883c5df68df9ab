import { describe, expect, it } from 'vitest';
import { imageHeader } from '../../testing/sniffed-files';
import { requireResultFormat } from './recognise';

const SERVER = { writtenFormats: ['jpeg', 'png', 'webp', 'avif'] } as const;
const PAGE = { writtenFormats: ['jpeg', 'png', 'webp'] } as const;

describe('the format of a result', () => {
  it.each([
    ['jpeg', false, undefined, 'jpeg'],
    ['webp', false, undefined, 'jpeg'],
    ['webp', true, undefined, 'png'],
    ['webp', true, 'same', 'webp'],
    ['avif', false, 'same', 'avif'],
    ['heic', false, 'avif', 'avif'],
    ['png', true, 'jpeg', 'jpeg'],
  ] as const)('of %s (transparent: %s) with result-format=%s is %s', (format, hasAlpha, wanted, result) => {
    expect(requireResultFormat({ header: imageHeader({ format, hasAlpha }), wanted }, SERVER)).toBe(result);
  });

  it.each([
    ['avif', 'same', PAGE, 'Results cannot be written as AVIF here; JPEG, PNG and WebP are possible.'],
    ['jpeg', 'avif', PAGE, 'Results cannot be written as AVIF here; JPEG, PNG and WebP are possible.'],
    [
      'tiff',
      'same',
      SERVER,
      'Results cannot be written as TIFF here; JPEG, PNG, WebP and AVIF are possible.',
    ],
  ] as const)(
    'of %s with result-format=%s is refused by a host that does not write it',
    (format, wanted, host, sentence) => {
      expect(() => requireResultFormat({ header: imageHeader({ format }), wanted }, host)).toThrow(sentence);
    },
  );

  it('is refused where its encoder takes no image of this size', () => {
    const header = imageHeader({ width: 16_384, height: 8 });
    expect(() => requireResultFormat({ header, wanted: 'webp' }, SERVER)).toThrow(
      'The image is too large for a result in WebP: at most 16383 pixels a side.',
    );
    expect(requireResultFormat({ header, wanted: 'jpeg' }, SERVER)).toBe('jpeg');
  });
});
