import { expect, it } from 'vitest';
import { crc32 } from './bytes';

it('a checksum is that of the bytes, however many there are and wherever they are cut', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc32(digits)).toBe(0xcbf43926); // the check value of CRC-32
  const bytes = Uint8Array.from({ length: 40 }, (_, at) => (at * 151) & 255);
  const whole = crc32(bytes);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(whole);
  }
});
