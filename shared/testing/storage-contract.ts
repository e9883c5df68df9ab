import { beforeEach, describe, expect, it } from 'vitest';
import { bytesOf as bytesOfBody } from '../api/http/http';
import type { Storage } from '../ports/storage';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const KEY = 'output/5d7ba3ec-6d9f-4f0e-8d5c-0a4f4b7f1d11/result.json';

/** Larger than the pieces of all storages. */
const LARGE_BYTES = 3_000_000;

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}

/** Tests that every storage must pass. */
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

    it('returns written bytes', async () => {
      await storage.write(KEY, bytesOf('one'));
      expect(await textOf(KEY)).toBe('one');
    });

    it('returns undefined for a key without a file', async () => {
      expect(await storage.read(KEY)).toBeUndefined();
    });

    it('replaces an existing file', async () => {
      await storage.write(KEY, bytesOf('one'));
      await storage.write(KEY, bytesOf('two'));
      expect(await textOf(KEY)).toBe('two');
    });

    it('keeps empty files', async () => {
      await storage.write(KEY, new Uint8Array(0));
      expect(await textOf(KEY)).toBe('');
    });

    it('does not change a file if the caller changes the written bytes', async () => {
      const bytes = bytesOf('one');
      await storage.write(KEY, bytes);
      bytes.fill(0);
      expect(await textOf(KEY)).toBe('one');
    });

    const partOf = async (key: string, start: number, end: number): Promise<string> => {
      const file = await storage.open(key);
      return new TextDecoder().decode(await bytesOfBody(file!.read(start, end)));
    };

    it('returns the size of a file without reading it', async () => {
      await storage.write(KEY, bytesOf('0123456789'));
      expect((await storage.open(KEY))?.sizeBytes).toBe(10);
    });

    it.each([
      [0, 10, '0123456789'],
      [0, 1, '0'],
      [3, 6, '345'],
      [9, 10, '9'],
      [4, 4, ''],
    ])('reads the bytes of a file from %i to %i (exclusive)', async (start, end, part) => {
      await storage.write(KEY, bytesOf('0123456789'));
      expect(await partOf(KEY, start, end)).toBe(part);
    });

    it('supports several readers of an open file at the same time', async () => {
      await storage.write(KEY, bytesOf('0123456789'));
      const file = await storage.open(KEY);
      const parts = await Promise.all(
        [file!.read(0, 5), file!.read(0, 5), file!.read(5, 10)].map(bytesOfBody),
      );
      expect(parts.map((part) => new TextDecoder().decode(part))).toEqual(['01234', '01234', '56789']);
    });

    it('reads a large file completely, in ordered pieces', async () => {
      const bytes = Uint8Array.from({ length: LARGE_BYTES }, (_, index) => (index * 31) >> 3);
      await storage.write(KEY, bytes);
      const sizes: number[] = [];
      const read: Uint8Array[] = [];
      for await (const piece of (await storage.open(KEY))!.read(1, LARGE_BYTES)) {
        sizes.push(piece.byteLength);
        read.push(piece);
      }
      expect(sizes.length).toBeGreaterThan(1);
      const whole = await bytesOfBody(piecesOf(read));
      expect(whole.byteLength).toBe(LARGE_BYTES - 1);
      // `toEqual` would take seconds for so many numbers.
      expect(whole.findIndex((byte, index) => byte !== bytes[index + 1])).toBe(-1);
    });

    it('lets a reader stop early', async () => {
      await storage.write(KEY, new Uint8Array(LARGE_BYTES));
      let pieces = 0;
      for await (const piece of (await storage.open(KEY))!.read(0, LARGE_BYTES)) {
        pieces += piece.byteLength > 0 ? 1 : 0;
        break;
      }
      expect(pieces).toBe(1);
    });

    it('opens an empty file, and returns undefined for a key without a file', async () => {
      await storage.write(KEY, new Uint8Array(0));
      expect((await storage.open(KEY))?.sizeBytes).toBe(0);
      expect(await partOf(KEY, 0, 0)).toBe('');
      expect(await storage.open(`${KEY}.other`)).toBeUndefined();
    });

    it('hides an unfinished file until it is committed', async () => {
      const file = await storage.create(KEY);
      await file.write(4, bytesOf('4567'));
      await file.write(0, bytesOf('0123'));
      await file.write(6, bytesOf('xy'));
      expect(await storage.open(KEY)).toBeUndefined();
      await file.commit();
      await file.discard();
      expect(await textOf(KEY)).toBe('012345xy');
    });

    it('keeps the previous file if an unfinished one is discarded', async () => {
      await storage.write(KEY, bytesOf('one'));
      const file = await storage.create(KEY);
      await file.write(0, bytesOf('two'));
      await file.discard();
      expect(await textOf(KEY)).toBe('one');
    });

    it('removes a folder by its prefix, and no other folder', async () => {
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

    it('removes the files of a folder whose names have a common prefix', async () => {
      await storage.write('output/a/mask-1', bytesOf('1'));
      await storage.write('output/a/mask-2', bytesOf('2'));
      await storage.write('output/a/plan', bytesOf('p'));
      await storage.remove('output/a/mask');
      expect(await textOf('output/a/mask-1')).toBeUndefined();
      expect(await textOf('output/a/mask-2')).toBeUndefined();
      expect(await textOf('output/a/plan')).toBe('p');
    });

    it('ignores the removal of files that do not exist', async () => {
      await expect(storage.remove('output/nobody/')).resolves.toBeUndefined();
      await expect(storage.remove('output/nobody/mask')).resolves.toBeUndefined();
    });
  });
};
