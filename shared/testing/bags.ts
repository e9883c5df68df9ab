import { createChunkCoding } from '../media/mcap/chunk-coding';
import { text, u16, u32, u64 } from '../media/mcap/fields';
import { OPCODE } from '../media/mcap/records';
import { createBagWriter } from '../media/mcap/write-bag';
import { crc32, joinBytes } from '../engine/formats/bytes';
import { createMemoryTarget } from './memory-target';

/** A channel with its schema. */
export interface MadeChannel {
  readonly topic: string;
  /** Of the messages. */
  readonly encoding: string;
  readonly schema: { readonly name: string; readonly encoding: string; readonly text: string | Uint8Array };
}

export interface MadeMessage {
  /** Index of the channel. */
  readonly channel: number;
  readonly logTime: bigint;
  readonly sequence?: number;
  readonly publishTime?: bigint;
  readonly data: Uint8Array;
}

export interface MadeAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly data: Uint8Array;
}

export interface MadeBag {
  readonly channels: readonly MadeChannel[];
  /** In chunks. */
  readonly chunks: readonly (readonly MadeMessage[])[];
  /** Undefined: messages are in no chunks. */
  readonly compression?: string | undefined;
  readonly attachments?: readonly MadeAttachment[];
  /** Names of metadata records. */
  readonly metadata?: readonly string[];
}

const utf8 = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new TextEncoder().encode(value) : value;

const counted = (bytes: Uint8Array): Uint8Array => joinBytes([u32(bytes.length), bytes]);

/** Fields of a message record. */
export const messageFields = ({ channel, logTime, sequence = 0, publishTime = logTime, data }: MadeMessage) =>
  joinBytes([u16(channel + 1), u32(sequence), u64(logTime), u64(publishTime), data]);

const attachmentFields = ({ name, mediaType, data }: MadeAttachment): Uint8Array => {
  const fields = joinBytes([u64(5n), u64(6n), text(name), text(mediaType), u64(data.length), data]);
  return joinBytes([fields, u32(crc32(fields))]);
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Makes a bag. Readers other than ours check in `e2e/python-tools` that what our writer makes is one. */
export const makeBag = async (bag: MadeBag): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  const writer = createBagWriter(target, createChunkCoding(undefined));
  await writer.begin('ros2');
  for (const name of bag.metadata ?? []) {
    await writer.add(OPCODE.metadata, joinBytes([text(name), u32(0)]));
  }
  for (const [at, chunk] of bag.chunks.entries()) {
    if (bag.compression !== undefined) writer.beginChunk();
    for (const [index, { topic, encoding, schema }] of at === 0 ? bag.channels.entries() : []) {
      const id = u16(index + 1);
      const described = [text(schema.name), text(schema.encoding), counted(utf8(schema.text))];
      await writer.add(OPCODE.schema, joinBytes([id, ...described]));
      await writer.add(OPCODE.channel, joinBytes([id, id, text(topic), text(encoding), u32(0)]));
    }
    for (const message of chunk) await writer.add(OPCODE.message, messageFields(message));
    if (bag.compression !== undefined) await writer.endChunk(bag.compression);
  }
  for (const each of bag.attachments ?? []) {
    const fields = attachmentFields(each);
    await writer.addAttachment(fields.length, once(fields));
  }
  await writer.end();
  return target.bytes();
};

const HEADER1 = `================================================================================
MSG: std_msgs/Header
uint32 seq
time stamp
string frame_id
`;
const HEADER2 = `================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;
const RAW_FIELDS = `uint32 height # of rows
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
`;

/** Schemas of images in ROS 1 and 2, shortened as the definitions of ROS are without their comments. */
export const ROS_SCHEMAS = {
  raw1: { name: 'sensor_msgs/Image', encoding: 'ros1msg', text: `Header header\n${RAW_FIELDS}${HEADER1}` },
  raw2: {
    name: 'sensor_msgs/msg/Image',
    encoding: 'ros2msg',
    text: `std_msgs/Header header\n${RAW_FIELDS}${HEADER2}`,
  },
  compressed1: {
    name: 'sensor_msgs/CompressedImage',
    encoding: 'ros1msg',
    text: `Header header\nstring format\nuint8[] data\n${HEADER1}`,
  },
  compressed2: {
    name: 'sensor_msgs/msg/CompressedImage',
    encoding: 'ros2msg',
    text: `std_msgs/Header header\nstring format\nuint8[] data\n${HEADER2}`,
  },
} as const;

/** Values of a message, in the order of its fields: numbers of 32 bits, single bytes, times, texts and bytes. */
type RosValue = number | { readonly byte: number } | { readonly time: bigint } | string | Uint8Array;

/** Serialises a message as ROS 1 or ROS 2 does. */
export const rosMessage = (ros: 'ros1' | 'ros2', values: readonly RosValue[]): Uint8Array => {
  const start = ros === 'ros1' ? 0 : 4;
  let bytes: Uint8Array = ros === 'ros1' ? new Uint8Array(0) : Uint8Array.of(0, 1, 0, 0);
  const put = (part: Uint8Array): void => void (bytes = joinBytes([bytes, part]));
  const align = (): void => {
    if (ros === 'ros2') put(new Uint8Array((4 - ((bytes.length - start) % 4)) % 4));
  };
  for (const value of values) {
    if (typeof value === 'object' && 'byte' in value) {
      put(Uint8Array.of(value.byte));
      continue;
    }
    align();
    if (typeof value === 'number') put(u32(value));
    else if (typeof value === 'string') put(counted(utf8(ros === 'ros2' ? `${value}\0` : value)));
    else if (value instanceof Uint8Array) put(counted(value));
    else put(joinBytes([u32(Number(value.time / 1_000_000_000n)), u32(Number(value.time % 1_000_000_000n))]));
  }
  return bytes;
};
