import { createChunkCoding } from '../media/mcap/chunk-coding';
import { text, u16, u32, u64 } from '../media/mcap/fields';
import { OPCODE } from '../media/mcap/records';
import { createBagWriter } from '../media/mcap/write-bag';
import { crc32, joinBytes } from '../engine/formats/bytes';
import { createMemoryTarget } from './memory-target';
import { counted, utf8 } from './ros-messages';

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
