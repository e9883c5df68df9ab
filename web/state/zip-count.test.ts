import { expect, it } from 'vitest';
import { countBeyond16Bits } from './zip';

/** Position and size of the directory in these archives. */
const DIRECTORY = { at: 5_000_000, bytes: 3_000_000 };

const endRecord = (count: number, directoryAt = DIRECTORY.at): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(22));
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, Math.min(count, 0xffff), true);
  view.setUint16(10, Math.min(count, 0xffff), true);
  view.setUint32(12, DIRECTORY.bytes, true);
  view.setUint32(16, directoryAt, true);
  return new Uint8Array(view.buffer);
};

/** The records before the end record of an archive. Checks that directory and end record pass unchanged. */
const recordsOf = async (sizes: readonly number[], directoryAt?: number): Promise<DataView | undefined> => {
  const { add, stream } = countBeyond16Bits();
  for (const size of sizes) add(size);
  const directory = new Uint8Array([1, 2, 3]);
  const end = endRecord(sizes.length, directoryAt);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (output) => {
      output.enqueue(directory);
      output.enqueue(end);
      output.close();
    },
  });
  await source.pipeThrough(stream).pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }));
  expect(pieces[0]).toEqual(directory);
  expect(pieces.at(-1)).toEqual(end);
  const [records, ...more] = pieces.slice(1, -1);
  expect(more).toEqual([]);
  return records && new DataView(records.buffer);
};
const smallFiles = (count: number): number[] => new Array<number>(count).fill(1);

it('an archive of up to 65,534 files does not change', async () => {
  expect(await recordsOf([])).toBeUndefined();
  expect(await recordsOf(smallFiles(65_534))).toBeUndefined();
});

it.each([65_535, 70_000])('an archive of %i files gets records with 64-bit counts', async (count) => {
  const records = await recordsOf(smallFiles(count));
  expect(records?.getUint32(0, true)).toBe(0x06064b50);
  expect(records?.getBigUint64(24, true)).toBe(BigInt(count));
  expect(records?.getBigUint64(32, true)).toBe(BigInt(count));
  expect(records?.getBigUint64(40, true)).toBe(BigInt(DIRECTORY.bytes));
  expect(records?.getBigUint64(48, true)).toBe(BigInt(DIRECTORY.at));
  expect(records?.getUint32(56, true)).toBe(0x07064b50);
  expect(records?.getBigUint64(64, true)).toBe(BigInt(DIRECTORY.at + DIRECTORY.bytes));
});

it('an archive beyond 4 GiB already has these records, and gets no second ones', async () => {
  expect(await recordsOf(smallFiles(70_000), 0xffff_ffff)).toBeUndefined();
  expect(await recordsOf([2 ** 32, ...smallFiles(70_000)])).toBeUndefined();
});
