import { imageHeader } from '#shared/testing/sniffed-files';
import { describe, expect, it } from 'vitest';
import { checkHeader } from './check-results';

describe('checkHeader', () => {
  it.each([
    ['by numbers', { primaries: 12, transfer: 13 }],
    ['by a gamma', { gamma: 45_455 }],
    ['by a gamma with primaries', { gamma: 100_000, chromaticities: [1, 2, 3, 4, 5, 6, 7, 8] }],
  ])('accepts colours that are described %s', (_, colour) => {
    const header = { ...imageHeader(), colour };
    expect(checkHeader(header)).toBe(header);
  });

  it.each([
    ['nothing', {}],
    ['text', { primaries: '1', transfer: 13 }],
    ['half of the primaries', { gamma: 1, chromaticities: [1, 2, 3, 4] }],
  ])('refuses colours that are described by %s', (_, colour) => {
    const header = { ...imageHeader(), colour } as unknown as ReturnType<typeof imageHeader>;
    expect(() => checkHeader(header)).toThrow('The engine process sent a result of another form.');
  });

  it('refuses a header with an unknown format', () => {
    const header = { ...imageHeader(), format: 'exe' } as unknown as ReturnType<typeof imageHeader>;
    expect(() => checkHeader(header)).toThrow(TypeError);
  });
});
