import { expect, test } from 'vitest';
import { createFakeSystem } from '../../testing/fake-system';
import { bytesOf, type LongArray } from './http';
import { ELEMENTS_PER_PIECE, jsonArray, jsonArrayFile } from './json-array';

async function* of(groups: readonly (readonly unknown[])[]): AsyncGenerator<readonly unknown[]> {
  yield* groups;
}
const arrayOf = (groups: LongArray<unknown>['groups']): LongArray<unknown> => ({
  groups,
  write: (element) => element,
  nextTurn: async () => undefined,
});
const textOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> =>
  new TextDecoder().decode(await bytesOf(pieces));
const never = (): AbortSignal => new AbortController().signal;

test.each([
  [[], '[]'],
  [[[]], '[]'],
  [[[1, 'ü']], '[1,"ü"]'],
  [[[1], [], [[2], { a: null }], [3]], '[1,[2],{"a":null},3]'],
])('an array in groups is the same JSON as in one: %j', async (groups, text) => {
  expect(await textOf(jsonArray(arrayOf(() => of(groups))))).toBe(text);
  expect(text).toBe(JSON.stringify(groups.flat()));
});

test('any part of an array file is the same part of its text, and its size and tag are those of its bytes', async () => {
  const groups = [[1, 22], ['ü'], [4]];
  const text = new TextEncoder().encode(JSON.stringify(groups.flat()));
  const system = createFakeSystem();
  const { file, tag } = await jsonArrayFile(
    arrayOf(() => of(groups)),
    system,
    never(),
  );
  expect([file.sizeBytes, tag]).toEqual([text.byteLength, (await system.sha256(text)).slice(0, 32)]);
  for (let start = 0; start <= text.byteLength; start += 1) {
    for (let end = start; end <= text.byteLength; end += 1) {
      expect(await bytesOf(file.read(start, end))).toEqual(text.subarray(start, end));
    }
  }
});

test('an array file that has become shorter is cut off with an error, not completed', async () => {
  let groups: readonly (readonly number[])[] = [[1, 2], [3]];
  const { file } = await jsonArrayFile(
    arrayOf(() => of(groups)),
    createFakeSystem(),
    never(),
  );
  groups = [[1, 2]];
  await expect(textOf(file.read(0, file.sizeBytes))).rejects.toThrow('shorter when it was sent');
});

test('an array file is not measured to its end for a client that has gone', async () => {
  const client = new AbortController();
  let read = 0;
  const groups = async function* (): AsyncGenerator<readonly number[]> {
    for (; read < 10; read += 1) {
      if (read === 2) client.abort();
      yield [read];
    }
  };
  await expect(jsonArrayFile(arrayOf(groups), createFakeSystem(), client.signal)).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(read).toBe(2);
});

test('a large group is written in pieces, and the host does its other work before each', async () => {
  const group = Array.from({ length: 2 * ELEMENTS_PER_PIECE + 1 }, (_, index) => index);
  let turns = 0;
  const nextTurn = async (): Promise<void> => void (turns += 1);
  const array = { ...arrayOf(() => of([group])), nextTurn };
  expect(JSON.parse(await textOf(jsonArray(array)))).toEqual(group);
  expect(turns).toBe(3);
});
