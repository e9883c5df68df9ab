import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Refusal } from './refusal';
import { fetchFrom, reasonOf, type Answer } from './request';

/** Hash that a file must have, and its length: it decides what is downloaded, and the hash what is accepted. */
export interface Expected {
  /** At most; a shorter file has another hash, unless its length was not known. */
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
    // Chunks are written as they arrive, so that an interrupted download can be resumed.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > expected.bytes) {
        throw new Refusal(`The file is longer than the expected ${expected.bytes} bytes.`);
      }
      await file.write(chunk);
      onBytes(received);
    }
    await file.sync();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(
      `The download was interrupted (${reasonOf(cause)}). Run the same command again to resume it.`,
      { cause },
    );
  } finally {
    await file.close();
  }
};

/** Whether a file is there with this hash. */
export const isWhole = async (file: string, { bytes, sha256 }: Expected): Promise<boolean> => {
  const size = await sizeOf(file);
  return size > 0 && size <= bytes && (await hashFile(file)) === sha256;
};

/** @throws {Refusal} if the hash differs or the file is too long; the file is then removed, so that the next attempt starts again */
export const verifyFile = async (file: string, { bytes, sha256 }: Expected): Promise<void> => {
  const size = await sizeOf(file);
  const found = size <= bytes ? await hashFile(file) : undefined;
  if (found === sha256) return;
  await rm(file, { force: true });
  const described = `expected the hash ${sha256} and at most ${bytes} bytes`;
  throw new Refusal(
    `The file does not match its description (${described}, found ${found ?? 'more'} and ${size} bytes).`,
  );
};

/**
 * Downloads a file, and resumes an interrupted download. `target` exists only if the file is complete and correct.
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
      // A partial file of the full length is wrong and cannot be completed.
      if ((await sizeOf(part)) >= expected.bytes) await rm(part, { force: true });
      throw error;
    }
  }
  await verifyFile(part, expected);
  await rename(part, target);
};

/** Downloads a small file into memory. @throws {Refusal} */
export const downloadSmall = (url: URL, maxBytes: number): Promise<Uint8Array> =>
  fetchFrom(url, 0, async (answer) => {
    if (answer === 'nothing-left') return new Uint8Array();
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) {
        throw new Refusal(`The file from ${url.host} is longer than ${maxBytes} bytes.`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  });
