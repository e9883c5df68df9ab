import { expect, it } from 'vitest';
import { collectFiles } from './collect-files';

it('pieces become one file', async () => {
  const files = collectFiles(['a', 'b']);
  await files.write('a', 0, Uint8Array.of(1, 2));
  await files.write('b', 0, Uint8Array.of(9));
  await files.write('a', 2, Uint8Array.of(3));
  expect([...files.get('a')]).toEqual([1, 2, 3]);
  expect([...files.get('b')]).toEqual([9]);
});

it('a file that was not asked for, a gap and other data than bytes are refused', async () => {
  const files = collectFiles(['a']);
  const refused = 'not asked for';
  await expect(files.write('b', 0, Uint8Array.of(1))).rejects.toThrow(refused);
  await expect(files.write('a', 1, Uint8Array.of(1))).rejects.toThrow(refused);
  await expect(files.write('a', 0, 'text' as never)).rejects.toThrow(refused);
  expect(files.find('a')).toBeUndefined();
  expect(() => files.get('a')).toThrow('has not written');
});
