import { describe, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS } from '../../domain/bag';
import { LIMITS } from '../../domain/limits';
import { viewOf } from '../../engine/formats/bytes';
import type { BagReader } from '../../ports/bag';
import type { ImageCodec } from '../../ports/codec';
import { makeBag } from '../../testing/bags';
import { memorySource } from '../../testing/memory-target';
import { createBagCodec } from './bag-codec';
import { OPCODE } from './records';

const open = (bytes: Uint8Array): Promise<BagReader> =>
  createBagCodec().open(
    memorySource(bytes),
    { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: {} as ImageCodec },
    new AbortController().signal,
  );
const someBag = (compression: string): Promise<Uint8Array> =>
  makeBag({
    channels: [{ topic: '/a', encoding: 'json', schema: { name: 'a', encoding: 'jsonschema', text: '{}' } }],
    chunks: [[{ channel: 0, logTime: 5n, data: new Uint8Array(400).map((_, at) => at >> 2) }]],
    compression,
  });

describe('a broken bag is refused by one sentence', () => {
  const sentence = async (change: (bytes: Uint8Array) => Uint8Array): Promise<string> =>
    open(change(await someBag('lz4'))).then(
      () => 'it was read',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  /** Offset of the first record of this type. */
  const find = (bytes: Uint8Array, opcode: number): number => {
    for (let at = 8; ; at += 9 + Number(viewOf(bytes).getBigUint64(at + 1, true))) {
      if (bytes[at] === opcode) return at;
    }
  };
  const changed =
    (opcode: number, offset: number, set: (view: DataView, at: number) => void) =>
    (bytes: Uint8Array): Uint8Array => {
      set(viewOf(bytes), find(bytes, opcode) + 9 + offset);
      return bytes;
    };

  it.each<readonly [string, (bytes: Uint8Array) => Uint8Array, RegExp]>([
    ['truncated within a chunk', (bytes) => bytes.subarray(0, 200), /truncated/],
    ['truncated at its end', (bytes) => bytes.subarray(0, -5), /truncated/],
    [
      'a wrong checksum of a chunk',
      changed(OPCODE.chunk, 24, (view, at) => view.setUint8(at, 1)),
      /checksum of a chunk/,
    ],
    [
      'a wrong checksum of its data',
      changed(OPCODE.header, 5, (view, at) => view.setUint8(at, 1)),
      /checksum of its data/,
    ],
    [
      'a chunk that claims 4 GB',
      changed(OPCODE.chunk, 16, (view, at) => view.setBigUint64(at, 4n * 1024n ** 3n, true)),
      /claims a chunk of 4294967296 bytes/,
    ],
    [
      'a chunk of another size',
      changed(OPCODE.chunk, 16, (view, at) => view.setBigUint64(at, 400n, true)),
      /cannot be decompressed/,
    ],
    [
      'a record beyond the end',
      changed(OPCODE.chunk, -8, (view, at) => view.setBigUint64(at, 2n ** 60n, true)),
      /truncated/,
    ],
    [
      'damaged compression',
      changed(OPCODE.chunk, 60, (view, at) => view.setUint32(at, 0)),
      /cannot be decompressed/,
    ],
  ])('%s', async (_name, change, expected) => {
    const said = await sentence(change);
    expect(said).toMatch(/^UnreadableFile: The bag /);
    expect(said).toMatch(expected);
  });

  it('an unknown compression', async () => {
    const bytes = await someBag('');
    const text = new TextDecoder('latin1').decode(await someBag('lz4'));
    const other = Uint8Array.from(text.replaceAll('lz4', 'lzo'), (letter) => letter.charCodeAt(0));
    await expect(open(other)).rejects.toThrow('"lzo"');
    await expect(open(bytes)).resolves.toBeDefined();
  });
});
