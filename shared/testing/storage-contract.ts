import { beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../ports/storage';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const KEY = 'output/5d7ba3ec-6d9f-4f0e-8d5c-0a4f4b7f1d11/result.json';

/** What every storage does. */
export const describeStorage = (name: string, open: () => Promise<Storage>): void => {
  describe(name, () => {
    let storage: Storage;
    const textOf = async (key: string): Promise<string | undefined> => {
      const bytes = await storage.read(key);
      return bytes && new TextDecoder().decode(bytes);
    };
    beforeEach(async () => {
      storage = await open();
    });

    it('reads what was written', async () => {
      await storage.write(KEY, bytesOf('one'));
      expect(await textOf(KEY)).toBe('one');
    });

    it('reads nothing where nothing was written', async () => {
      expect(await storage.read(KEY)).toBeUndefined();
    });

    it('replaces what stands under a key', async () => {
      await storage.write(KEY, bytesOf('one'));
      await storage.write(KEY, bytesOf('two'));
      expect(await textOf(KEY)).toBe('two');
    });

    it('keeps empty files', async () => {
      await storage.write(KEY, new Uint8Array(0));
      expect(await textOf(KEY)).toBe('');
    });

    it('keeps a file although its bytes are changed afterwards', async () => {
      const bytes = bytesOf('one');
      await storage.write(KEY, bytes);
      bytes.fill(0);
      expect(await textOf(KEY)).toBe('one');
    });

    it('removes a folder by its prefix and leaves its neighbours', async () => {
      await storage.write('output/a/x', bytesOf('x'));
      await storage.write('output/a/y', bytesOf('y'));
      await storage.write('output/ab/x', bytesOf('z'));
      await storage.write('input/a/x', bytesOf('i'));
      await storage.remove('output/a/');
      expect(await textOf('output/a/x')).toBeUndefined();
      expect(await textOf('output/a/y')).toBeUndefined();
      expect(await textOf('output/ab/x')).toBe('z');
      expect(await textOf('input/a/x')).toBe('i');
    });

    it('removes the files of a folder whose names begin alike', async () => {
      await storage.write('output/a/mask-1', bytesOf('1'));
      await storage.write('output/a/mask-2', bytesOf('2'));
      await storage.write('output/a/plan', bytesOf('p'));
      await storage.remove('output/a/mask');
      expect(await textOf('output/a/mask-1')).toBeUndefined();
      expect(await textOf('output/a/mask-2')).toBeUndefined();
      expect(await textOf('output/a/plan')).toBe('p');
    });

    it('removes what is not there without a word', async () => {
      await expect(storage.remove('output/nobody/')).resolves.toBeUndefined();
      await expect(storage.remove('output/nobody/mask')).resolves.toBeUndefined();
    });
  });
};
