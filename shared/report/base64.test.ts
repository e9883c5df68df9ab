import { expect, it } from 'vitest';
import { base64 } from './byte-text';

it.each([0, 1, 2, 3, 4, 5, 100, 255, 256])('%d bytes have the base64 that Node writes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => at * 37);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});
