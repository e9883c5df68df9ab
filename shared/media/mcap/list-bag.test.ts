import { expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS } from '../../domain/bag';
import { UnreadableFile } from '../../domain/failure';
import { LIMITS } from '../../domain/limits';
import type { ImageCodec } from '../../ports/codec';
import { makeBag, type MadeBag, type MadeMessage } from '../../testing/bags';
import { rosMessage, ROS_SCHEMAS } from '../../testing/ros-messages';
import { memorySource } from '../../testing/memory-target';
import { RAMP_JPEG } from '../../testing/ramp-images';
import { createBagCodec } from './bag-codec';

const SECOND = 1_000_000_000n;

const topic = (name: string, schema: { readonly name: string; readonly text: string }) => ({
  ...{ topic: name, encoding: 'cdr', schema: { encoding: 'ros2msg', ...schema } },
});
const message = (channel: number, second: number, data: Uint8Array): MadeMessage => ({
  ...{ channel, logTime: BigInt(second) * SECOND, data },
});
const pixels = (encoding: string): Uint8Array =>
  rosMessage('ros2', [{ time: SECOND }, '', 1, 2, encoding, { byte: 0 }, 4, new Uint8Array(4)]);
const file = (data: Uint8Array): Uint8Array => rosMessage('ros2', [{ time: SECOND }, '', 'jpeg', data]);

const list = async (bag: MadeBag, codec: Partial<ImageCodec>) =>
  createBagCodec().list(
    memorySource(await makeBag(bag)),
    { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: codec as ImageCodec },
    new AbortController().signal,
  );

it('names all topics of a bag, what each shows, and why one cannot be read', async () => {
  const bag = {
    channels: [
      topic('/camera', ROS_SCHEMAS.raw2),
      topic('/points', { name: 'sensor_msgs/msg/PointCloud2', text: 'uint8[] data' }),
      topic('/depth', ROS_SCHEMAS.raw2),
      topic('/files', ROS_SCHEMAS.compressed2),
    ],
    chunks: [
      [message(0, 1, pixels('mono8')), message(1, 2, Uint8Array.of(7)), message(2, 2, pixels('16UC1'))],
      [message(3, 2, file(Uint8Array.of(1))), message(0, 3, pixels('mono8'))],
    ],
    compression: 'lz4',
    attachments: [{ name: 'photo', mediaType: 'image/jpeg', data: RAMP_JPEG }],
  };
  const once = { encodings: ['cdr'], messages: 1, durationS: 0 };
  const schemas = ['sensor_msgs/msg/Image'];
  const preview = Uint8Array.of(0xff);
  expect(await list(bag, { encodeLossy: async () => preview })).toEqual({
    topics: [
      {
        ...{ ...once, name: '/camera', kind: 'images', schemas, messages: 2, durationS: 2 },
        ...{ format: 'mono8', size: { width: 2, height: 1 }, preview },
      },
      { ...once, name: '/points', kind: 'other', schemas: ['sensor_msgs/msg/PointCloud2'] },
      { ...once, name: '/depth', kind: 'depth', schemas, format: '16UC1' },
      {
        ...{ ...once, name: '/files', kind: 'unread', schemas: ['sensor_msgs/msg/CompressedImage'] },
        ...{ format: 'jpeg', problem: expect.stringContaining('an image is refused') },
      },
    ],
    durationS: 2,
    unkeptAttachments: ['photo'],
  });
});

it('shows the first image of a topic that can be decoded, small', async () => {
  const sizes: (readonly number[])[] = [];
  let tried = 0;
  const codec: Partial<ImageCodec> = {
    decode: async () => {
      if (tried++ === 0) throw new UnreadableFile('It is damaged.');
      return { width: 1000, height: 10, data: new Uint8Array(40_000) };
    },
    encodeLossy: async (_format, { width, height }) => {
      sizes.push([width, height]);
      return Uint8Array.of(1);
    },
  };
  const messages = [1, 2, 3].map((second) => message(0, second, file(RAMP_JPEG)));
  const bag = { channels: [topic('/files', ROS_SCHEMAS.compressed2)], chunks: [messages] };
  const { topics } = await list(bag, codec);
  expect(topics).toEqual([expect.objectContaining({ kind: 'images', preview: Uint8Array.of(1) })]);
  expect([tried, sizes]).toEqual([2, [[250, 3]]]);
});
