import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Refusal } from './refusal';
import { fetchFrom, reasonOf, type Answer } from './request';

/** What a file must turn out to be. */
export interface Expected {
  readonly bytes: number;
  readonly sha256: string;
}

export type OnBytes = (received: number) => void;

const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

const append = async (part: string, answer: Answer, expected: Expected, onBytes: OnBytes): Promise<void> => {
  const { offset, length, body } = answer;
  if (length !== undefined && offset + length > expected.bytes) {
    throw new Refusal(`The file has ${offset + length} bytes instead of ${expected.bytes}.`);
  }
  const file = await open(part, offset > 0 ? 'a' : 'w');
  let received = offset;
  try {
    // One after the other: what has come is on disk when the connection breaks off.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > expected.bytes) {
        throw new Refusal(`The file is longer than the ${expected.bytes} bytes it should have.`);
      }
      await file.write(chunk);
      onBytes(received);
    }
    await file.sync();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(
      `The connection broke off (${reasonOf(cause)}); the same command goes on where it ended.`,
      { cause },
    );
  } finally {
    await file.close();
  }
};

/** @throws {Refusal} where a file is not what it must be; it is removed then, so that the next try starts again */
export const verifyFile = async (file: string, { bytes, sha256 }: Expected): Promise<void> => {
  const size = await sizeOf(file);
  const found = size === bytes ? await hashFile(file) : `${size} bytes`;
  if (found === sha256) return;
  await rm(file, { force: true });
  throw new Refusal(
    `The file is not the one that was announced (expected ${bytes} bytes of ${sha256}, found ${found}).`,
  );
};

/**
 * Loads a file, going on where an earlier try ended; `target` is there only when it is whole and right.
 *
 * @throws {Refusal}
 */
export const download = async (
  url: URL,
  target: string,
  expected: Expected,
  onBytes: OnBytes = () => undefined,
): Promise<void> => {
  const part = `${target}.part`;
  if ((await sizeOf(part)) > expected.bytes) await rm(part);
  const have = await sizeOf(part);
  if (have < expected.bytes) {
    try {
      await fetchFrom(url, have, async (answer) => {
        if (answer !== 'nothing-left') await append(part, answer, expected, onBytes);
      });
    } catch (error) {
      // What is wrong, rather than unfinished, will not get right by going on with it.
      if ((await sizeOf(part)) >= expected.bytes) await rm(part, { force: true });
      throw error;
    }
  }
  await verifyFile(part, expected);
  await rename(part, target);
};

/** Loads a small file into memory. @throws {Refusal} */
export const downloadSmall = (url: URL, maxBytes: number): Promise<Uint8Array> =>
  fetchFrom(url, 0, async (answer) => {
    if (answer === 'nothing-left') return new Uint8Array();
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) throw new Refusal(`What ${url.host} sends is longer than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  });
