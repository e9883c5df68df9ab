import { describe, expect, it } from 'vitest';
import { base64 } from '../../../report/byte-text';
import { joinBytes } from '../../../engine/formats/bytes';
import { rosMessage, ROS_SCHEMAS } from '../../../testing/ros-messages';
import { bytesField, varint } from './protobuf-wire';
import { createImageReader, imageKindOf } from './read-images';

const SECOND = 1_000_000_000n;
const TIME = 1_700_000_000n * SECOND + 5n;
const IMAGE = Uint8Array.of(1, 2, 3, 4, 5, 6);
const OTHER = Uint8Array.of(9, 9, 9);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const schemaOf = (name: string, encoding: string, data: Uint8Array | string) => ({
  ...{ id: 1, name, encoding },
  data: typeof data === 'string' ? utf8(data) : data,
});
const reader = (schema: ReturnType<typeof schemaOf>, messageEncoding: string) =>
  createImageReader(imageKindOf(schema)!, schema, { messageEncoding });

describe.each(['ros1', 'ros2'] as const)('messages of %s', (ros) => {
  const end = ros === 'ros1' ? '1' : '2';
  const ofRos = (kind: 'raw' | 'compressed') => {
    const { name, encoding, text } = ROS_SCHEMAS[`${kind}${end}`];
    return reader(schemaOf(name, encoding, text), ros === 'ros1' ? 'ros1' : 'cdr');
  };
  const header = [...(ros === 'ros1' ? [7] : []), { time: TIME }, 'cam'];
  const raw = (data: Uint8Array) => rosMessage(ros, [...header, 1, 2, 'rgb8', { byte: 1 }, 6, data]);
  const compressed = (data: Uint8Array) => rosMessage(ros, [...header, 'jpeg', data]);

  it('are read, and written with other data', () => {
    const message = ofRos('raw')(raw(IMAGE));
    expect(message).toMatchObject({
      ...{ kind: 'raw', format: 'rgb8', width: 2, height: 1, step: 6, isBigEndian: true },
      ...{ stamp: TIME, data: IMAGE },
    });
    expect(message.withData(OTHER)).toEqual(raw(OTHER));
    const file = ofRos('compressed')(compressed(IMAGE));
    expect(file).toMatchObject({ kind: 'compressed', format: 'jpeg', stamp: TIME, data: IMAGE });
    expect(file.withData(OTHER)).toEqual(compressed(OTHER));
  });

  it('are refused where they end within a field', () => {
    const whole = raw(IMAGE);
    for (let length = 0; length < whole.length; length++) {
      expect(() => ofRos('raw')(whole.subarray(0, length))).toThrow(/end before|not plain CDR/);
    }
  });
});

it('CDR of the other byte order, with values behind the data, is read and aligned again', () => {
  const text = 'builtin_interfaces/Time timestamp\nstring frame_id\nuint8[] data\nstring format\n';
  const read = reader(schemaOf('foxglove_msgs/msg/CompressedImage', 'ros2msg', text), 'cdr');
  const little = (data: Uint8Array) => rosMessage('ros2', [{ time: TIME }, 'cam', data, 'png']);
  const message = read(little(IMAGE));
  expect(message).toMatchObject({ format: 'png', stamp: TIME, data: IMAGE });
  expect(message.withData(OTHER)).toEqual(little(OTHER));
  const big = joinBytes([
    Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0),
    Uint8Array.of(0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 4, 112, 110, 103, 0),
  ]);
  const fromBig = read(big);
  expect(fromBig).toMatchObject({ format: 'png', stamp: 2n * SECOND + 3n, data: Uint8Array.of(8) });
  expect(fromBig.withData(Uint8Array.of(7))[24]).toBe(7);
});

/** A field number and a type of `descriptor.proto`, for the fields of a message. */
type Described = Readonly<Record<string, readonly [number: number, type: number]>>;
const text = (number: number, value: string) => bytesField(number, utf8(value));
const number = (at: number, value: number) => [varint(at * 8), varint(value)];
const descriptorOf = (name: string, fields: Described): Uint8Array => {
  const described = Object.entries(fields).flatMap(([field, [at, type]]) =>
    bytesField(2, joinBytes([...text(1, field), ...number(3, at), ...number(5, type)])),
  );
  const message = joinBytes([...text(1, name), ...described]);
  const file = joinBytes([...text(1, 'a.proto'), ...text(2, 'foxglove'), ...bytesField(4, message)]);
  return joinBytes([...bytesField(1, file)]);
};
const FIELDS: Described = { timestamp: [1, 11], frame_id: [4, 9], data: [2, 12], format: [3, 9] };

describe('messages of protobuf', () => {
  const read = reader(
    schemaOf('foxglove.CompressedImage', 'protobuf', descriptorOf('CompressedImage', FIELDS)),
    'protobuf',
  );
  const stamp = bytesField(1, joinBytes([...number(1, 1_700_000_000), ...number(2, 5)]));
  const message = (data: Uint8Array, more: readonly Uint8Array[] = []) =>
    joinBytes([...stamp, ...bytesField(2, data), ...text(3, 'jpeg'), ...text(4, 'cam'), ...more]);

  it('are read by the numbers of their descriptor, and written with other data', () => {
    expect(read(message(IMAGE))).toMatchObject({ format: 'jpeg', stamp: TIME, data: IMAGE });
    expect(read(message(IMAGE)).withData(OTHER)).toEqual(message(OTHER));
  });

  it('are refused with fields that could hide an image', () => {
    expect(() => read(message(IMAGE, bytesField(2, IMAGE)))).toThrow('other fields');
    expect(() => read(message(IMAGE, bytesField(9, IMAGE)))).toThrow('other fields');
    expect(() => read(joinBytes([...bytesField(1, message(IMAGE)), ...bytesField(2, IMAGE)]))).toThrow(
      'other fields',
    );
    expect(() => read(message(IMAGE).subarray(0, -1))).toThrow('damaged');
    expect(() => read(new Uint8Array(40_000).map((_, at) => (at % 2 === 0 ? 10 : 0)))).toThrow('damaged');
  });

  it.each<readonly [string, string, Described]>([
    ['another message', 'Other', FIELDS],
    ['another type of a field', 'CompressedImage', { ...FIELDS, data: [2, 9] }],
    ['another field', 'CompressedImage', { ...FIELDS, thumbnail: [5, 12] }],
    ['no data', 'CompressedImage', { format: [3, 9] }],
    ['a message within itself', 'CompressedImage', { ...FIELDS, image: [5, 11] }],
    [
      'many fields',
      'CompressedImage',
      Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`f${i}`, [i + 1, 12]])),
    ],
  ])('are refused with a descriptor of %s', (_name, named, fields) => {
    const schema = schemaOf('foxglove.CompressedImage', 'protobuf', descriptorOf(named, fields));
    expect(() => reader(schema, 'protobuf')).toThrow(/^its (schema|messages)/);
  });
});

describe('messages of JSON', () => {
  const read = reader(schemaOf('foxglove.RawImage', 'jsonschema', '{}'), 'json');
  const message = (data: Uint8Array, more = {}) =>
    utf8(
      JSON.stringify({
        ...{ timestamp: { sec: 1_700_000_000, nsec: 5 }, frame_id: 'cam', width: 2, height: 1 },
        ...{ encoding: 'rgb8', step: 6, data: base64(data), ...more },
      }),
    );

  it('are read, and written with other data', () => {
    expect(read(message(IMAGE))).toMatchObject({ format: 'rgb8', width: 2, stamp: TIME, data: IMAGE });
    expect(read(message(IMAGE)).withData(OTHER)).toEqual(message(OTHER));
  });

  it.each<readonly [string, Uint8Array]>([
    ['no JSON', utf8('{')],
    ['a list', utf8('[]')],
    ['data that are not Base64', message(IMAGE, { data: '?' })],
    ['a further field', message(IMAGE, { thumbnail: 'x' })],
    ['no data', utf8('{"encoding":"rgb8"}')],
    ['a list in place of a text', message(IMAGE, { frame_id: ['x'] })],
    ['a text in place of a number', message(IMAGE, { width: '2' })],
    ['a time that has more in it', message(IMAGE, { timestamp: { sec: 1, nsec: 2, image: 'x' } })],
    ['a text as long as an image', message(IMAGE, { frame_id: 'x'.repeat(2000) })],
  ])('are refused with %s', (_name, bytes) => {
    expect(() => read(bytes)).toThrow(/^(its|the data of its) messages/);
  });
});

it('other encodings of messages are refused', () => {
  expect(() => reader(schemaOf('foxglove.RawImage', 'flatbuffer', ''), 'flatbuffer')).toThrow('"flatbuffer"');
});
