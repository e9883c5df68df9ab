import { describe, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS } from '../../domain/bag';
import { LIMITS } from '../../domain/limits';
import { joinBytes, viewOf } from '../../engine/formats/bytes';
import type { BagReader } from '../../ports/bag';
import type { ImageCodec } from '../../ports/codec';
import { makeBag } from '../../testing/bags';
import { rosMessage, ROS_SCHEMAS } from '../../testing/ros-messages';
import { memorySource } from '../../testing/memory-target';
import { createBagCodec } from './bag-codec';
import { createChannels } from './channels';
import { counted, text, u16 } from './fields';
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
    const text = Array.from(await someBag('lz4'), (byte) => String.fromCharCode(byte)).join('');
    const other = Uint8Array.from(text.replaceAll('lz4', 'lzo'), (letter) => letter.charCodeAt(0));
    await expect(open(other)).rejects.toThrow('"lzo"');
    await expect(open(bytes)).resolves.toBeDefined();
  });
});

describe('a topic whose schema or messages lie is refused by one sentence that names it', () => {
  const { name, encoding, text: honest } = ROS_SCHEMAS.raw2;
  const bagOf = (described: string, data: Uint8Array, named: string = name): Promise<Uint8Array> =>
    makeBag({
      channels: [{ topic: '/camera', encoding: 'cdr', schema: { name: named, encoding, text: described } }],
      chunks: [[{ channel: 0, logTime: 5n, data }]],
      compression: 'lz4',
    });
  const image = (height: number, width: number, step: number, data: Uint8Array): Uint8Array =>
    rosMessage('ros2', [{ time: 5n }, 'cam', height, width, 'mono8', { byte: 0 }, step, data]);
  const small = image(2, 2, 2, new Uint8Array(4));
  const withLength = (bytes: number): Uint8Array => {
    const changed = small.slice();
    viewOf(changed).setUint32(changed.length - 8, bytes, true);
    return changed;
  };
  const replaced = (from: string, to: string): string => {
    expect(honest).toContain(from);
    return honest.replaceAll(from, to);
  };

  it.each<readonly [string, string, Uint8Array, RegExp]>([
    [
      'a header that contains itself',
      replaced('builtin_interfaces/Time stamp', 'Header header'),
      small,
      /type "std_/,
    ],
    ['an image in itself', replaced('uint8[] data', 'sensor_msgs/Image data'), small, /field "sensor_msgs/],
    ['types in a circle', `${honest}===\nMSG: a/A\na/B b\n===\nMSG: a/B\na/A a\n`, small, /type "a\/A"/],
    ['another type of a field', replaced('uint32 height', 'float64 height'), small, /field "float64 height"/],
    [
      'an array of a fixed length',
      replaced('uint8[] data', 'uint8[4] data'),
      small,
      /field "uint8\[4\] data"/,
    ],
    [
      'a field that the messages lack',
      replaced('uint8[] data', 'uint8[] data\nstring format'),
      small,
      /end before/,
    ],
    ['a field twice', replaced('uint8[] data', 'uint8[] data\nuint8[] data'), small, /field "data" twice/],
    ['a schema of a megabyte', honest + '#'.repeat(1024 ** 2), small, /schema is too long/],
    ['an array of 4 GB', honest, withLength(2 ** 32 - 1), /end before their fields do/],
    ['an array that is too short', honest, withLength(1), /1 bytes are no image of 2 × 2/],
    [
      'an image of 4 gigapixels',
      honest,
      image(65_535, 65_535, 65_535, new Uint8Array(4)),
      /claims images of 65535/,
    ],
    ['rows that overlap', honest, image(2, 2, 0, new Uint8Array(4)), /are no image of 2 × 2/],
    ['rows of 4 GB', honest, image(2, 2, 2 ** 32 - 1, new Uint8Array(4)), /are no image of 2 × 2/],
  ])('%s', async (_name, described, data, expected) => {
    const said = await open(await bagOf(described, data)).then(
      () => 'it was read',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(said).toMatch(
      /^UnreadableFile: The topic "\/camera" cannot be anonymised: [^.]*\. Leave it out with .*\.$/,
    );
    expect(said).toMatch(expected);
  });

  it('but a circle of types that are no images is copied unread', async () => {
    const circle = 'a/Loop[] loops\n===\nMSG: a/Loop\na/Loop[] loops\n';
    const { facts } = await open(await bagOf(circle, Uint8Array.of(1), 'a/msg/Loop'));
    expect(facts.topics).toEqual([]);
  });
});

it('schemas that would fill the memory are refused', () => {
  const channels = createChannels();
  const data = new Uint8Array(24 * 1024 ** 2);
  const schemaOf = (id: number) => joinBytes([u16(id), text('a'), text('b'), counted([data])]);
  for (const id of [1, 2]) channels.addSchema(schemaOf(id));
  expect(channels.addSchema(schemaOf(1))).toBe(false);
  expect(() => channels.addSchema(schemaOf(3))).toThrow('schemas and channels of more than 67108864 bytes');
});
