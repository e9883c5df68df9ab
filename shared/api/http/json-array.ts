import type { System } from '../../ports/system';
import type { StoredFile } from '../../ports/storage';
import { tagOfFile } from '../../tasks/base/digest';
import type { LongArray } from './http';

/** Elements that are written at a time: frames with ten objects each take about a millisecond. */
export const ELEMENTS_PER_PIECE = 50;

/** The text of a JSON array in pieces. */
export async function* jsonArray<T>(array: LongArray<T>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let mark = '[';
  for await (const group of array.groups()) {
    for (let from = 0; from < group.length; from += ELEMENTS_PER_PIECE) {
      await array.nextTurn();
      const piece = group.slice(from, from + ELEMENTS_PER_PIECE).map((element) => array.write(element));
      yield encoder.encode(mark + JSON.stringify(piece).slice(1, -1));
      mark = ',';
    }
  }
  yield encoder.encode(mark === '[' ? '[]' : ']');
}

/** The bytes from `start` up to, not including, `end`. @throws Error where the pieces end before that */
async function* partOf(
  pieces: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(start - at, 0), Math.max(end - at, 0));
    at += piece.byteLength;
    if (part.byteLength > 0) yield part;
    if (at >= end) return;
  }
  if (at < end) throw new Error('A file was shorter when it was sent than when it was measured.');
}

/**
 * A JSON array as a file that is never whole in memory: its elements are read once for its length and its tag, and
 * again for each reader.
 *
 * @param signal ends the first reading @throws its reason, or what `groups` throws
 */
export const jsonArrayFile = async <T>(
  array: LongArray<T>,
  { startSha256 }: Pick<System, 'startSha256'>,
  signal: AbortSignal,
): Promise<{ readonly file: StoredFile; readonly tag: string }> => {
  const running = startSha256();
  let sizeBytes = 0;
  for await (const piece of jsonArray(array)) {
    signal.throwIfAborted();
    running.update(piece);
    sizeBytes += piece.byteLength;
  }
  const tag = tagOfFile({ sha256: await running.digest() });
  return { file: { sizeBytes, read: (start, end) => partOf(jsonArray(array), start, end) }, tag };
};
