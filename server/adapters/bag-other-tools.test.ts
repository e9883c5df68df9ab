import { McapStreamReader, type TypedMcapRecords } from '@mcap/core';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import { createBagCodec } from '#shared/media/mcap/bag-codec';
import { unpackLz4 } from '#shared/media/mcap/lz4';
import type { ImageCodec } from '#shared/ports/codec';
import { rosMessage, ROS_SCHEMAS } from '#shared/testing/ros-messages';
import { createMemoryTarget, memorySource } from '#shared/testing/memory-target';
import { createMcapWriter, openByIndex } from '../testing/mcap-library';
import { loadZstd } from './bag-zstd';

const SIGNAL = new AbortController().signal;
const START = 1_700_000_000_000_000_000n;
const MESSAGES = 40;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Even messages are grey images of 8 × 8 pixels, odd ones are text. */
const dataOf = (index: number): Uint8Array =>
  index % 2 === 1
    ? utf8(`{"number":${index}}`)
    : rosMessage('ros2', [
        ...[{ time: START + BigInt(index) }, 'camera', 8, 8, 'mono8', { byte: 0 }, 8],
        new Uint8Array(64).fill(index),
      ]);

/** A bag as the library of the format's authors writes it, in chunks of some messages. */
const writtenByOthers = async (compression: 'zstd' | 'none' | 'unchunked'): Promise<Uint8Array> => {
  const { writer, bytes } = await createMcapWriter(compression, 500);
  await writer.start({ profile: 'ros2', library: 'another' });
  const { name, encoding, text } = ROS_SCHEMAS.raw2;
  const image = await writer.registerSchema({ name, encoding, data: utf8(text) });
  const topics = [
    { schemaId: image, topic: '/camera', messageEncoding: 'cdr', metadata: new Map([['qos', 'x']]) },
    { schemaId: 0, topic: '/numbers', messageEncoding: 'json', metadata: new Map() },
  ];
  const channels = [];
  for (const topic of topics) channels.push(await writer.registerChannel(topic));
  for (let index = 0; index < MESSAGES; index++) {
    await writer.addMessage({
      channelId: channels[index % 2]!,
      sequence: index,
      logTime: START + BigInt(index),
      publishTime: START - BigInt(index),
      data: dataOf(index),
    });
  }
  await writer.addMetadata({ name: 'rig', metadata: new Map([['a', 'b']]) });
  await writer.addAttachment({
    ...{ name: 'notes.txt', mediaType: 'text/plain', data: utf8('dry road') },
    ...{ logTime: START, createTime: START },
  });
  await writer.end();
  return bytes();
};

const anonymised = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const bag = await createBagCodec({ loadZstd }).open(
    memorySource(bytes),
    { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: {} as ImageCodec },
    SIGNAL,
  );
  const target = createMemoryTarget();
  await bag.copy(target, async ({ raster }) => void raster.data.fill(255), SIGNAL);
  return target.bytes();
};

/** All records, with their checksums, as the library reads them from the beginning to the end. */
const readByOthers = async (bytes: Uint8Array): Promise<TypedMcapRecords[keyof TypedMcapRecords][]> => {
  const { unpack } = await loadZstd();
  const reader = new McapStreamReader({
    validateCrcs: true,
    decompressHandlers: {
      zstd: (packed, size) => unpack(packed, Number(size)),
      lz4: (packed, size) => unpackLz4(packed, Number(size)),
    },
  });
  reader.append(bytes);
  const records = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  expect(reader.done()).toBe(true);
  return records;
};

describe.each(['zstd', 'none', 'unchunked'] as const)('a bag of another writer, %s', (compression) => {
  it('is copied so that others read it with all checksums: only images differ', async () => {
    const before = await writtenByOthers(compression);
    const after = await anonymised(before);
    const kept = (records: Awaited<ReturnType<typeof readByOthers>>) =>
      records.filter(({ type }) => ['Schema', 'Channel', 'Message', 'Metadata', 'Attachment'].includes(type));
    const [source, copy] = [kept(await readByOthers(before)), kept(await readByOthers(after))];
    expect(copy).toHaveLength(source.length);
    for (const [at, record] of copy.entries()) {
      const isImage = record.type === 'Message' && record.sequence % 2 === 0;
      if (!isImage) expect(record).toEqual(source[at]);
      else expect([...record.data.subarray(-64)]).toEqual(Array<number>(64).fill(255));
    }
  });

  it('has an index by which others find its messages, in the order of their times', async () => {
    const bytes = await anonymised(await writtenByOthers(compression));
    if (compression === 'unchunked') return; // it has no index
    const reader = await openByIndex(bytes);
    expect(reader.chunkIndexes.length).toBeGreaterThan(3);
    expect(new Set(reader.chunkIndexes.map((one) => one.compression))).toEqual(
      new Set([compression === 'zstd' ? 'zstd' : '']),
    );
    expect(reader.statistics).toMatchObject({ messageCount: BigInt(MESSAGES), channelCount: 2 });
    const sequences = [];
    for await (const { sequence } of reader.readMessages({ validateCrcs: true })) sequences.push(sequence);
    expect(sequences).toEqual(Array.from({ length: MESSAGES }, (_, index) => index));
    expect([reader.metadataIndexes.length, reader.attachmentIndexes.length]).toEqual([1, 1]);
  });
});
