import sharp from 'sharp';
import { rosMessage, ROS_SCHEMAS } from '#shared/testing/ros-messages';
import { createMcapWriter, openByIndex } from '../../server/testing/mcap-library';

const SIZE = { width: 160, height: 96 };
const PIXELS = SIZE.width * SIZE.height;
const START = 1_700_000_000_000_000_000n;
const FRAME_NS = 100_000_000n;
/** Frames of each topic. */
export const BAG_FRAMES = 4;

/** Bright and dark squares, so that the tiny models detect faces, and whatever hides these changes pixels. */
const levels = (bytesPerPixel: number): Uint8Array =>
  Uint8Array.from({ length: PIXELS * bytesPerPixel }, (_, at) => {
    const [x, y] = [Math.floor(at / bytesPerPixel) % SIZE.width, Math.floor(at / bytesPerPixel / SIZE.width)];
    return ((x >> 2) + (y >> 2)) % 2 === 0 ? 40 : 200;
  });

const rawImage = (encoding: string, bytesPerPixel: number, time: bigint): Uint8Array =>
  rosMessage('ros2', [
    ...[{ time }, 'camera', SIZE.height, SIZE.width, encoding, { byte: 0 }, SIZE.width * bytesPerPixel],
    levels(bytesPerPixel),
  ]);

const jpeg = async (): Promise<Uint8Array> =>
  sharp(levels(3), { raw: { ...SIZE, channels: 3 } })
    .jpeg()
    .toBuffer();

const CLOUD = { name: 'sensor_msgs/msg/PointCloud2', encoding: 'ros2msg', text: 'uint8[] data' };

/** Topics of the bag, with the messages that each has. */
const TOPICS = {
  '/front': [ROS_SCHEMAS.raw2, async (time: bigint) => rawImage('rgb8', 3, time)],
  '/rear': [
    ROS_SCHEMAS.compressed2,
    async (time: bigint) => rosMessage('ros2', [{ time }, 'camera', 'jpeg', await jpeg()]),
  ],
  '/depth': [ROS_SCHEMAS.raw2, async (time: bigint) => rawImage('16UC1', 2, time)],
  '/thermal': [ROS_SCHEMAS.raw2, async (time: bigint) => rawImage('yuv999', 1, time)],
  '/points': [CLOUD, async (time: bigint) => Uint8Array.of(Number(time % 251n), 1, 2)],
} as const;
type TopicName = keyof typeof TOPICS;

/** A bag of two cameras, a depth camera, a camera that is not read, and points, in chunks. */
export const makeDrive = async (
  names: readonly TopicName[] = Object.keys(TOPICS) as TopicName[],
  frames = BAG_FRAMES,
  compression: 'zstd' | 'none' = 'zstd',
): Promise<Uint8Array> => {
  const { writer, bytes } = await createMcapWriter(compression, 100_000);
  await writer.start({ profile: 'ros2', library: 'a recorder' });
  const channels = new Map<TopicName, number>();
  for (const name of names) {
    const { text, ...schema } = TOPICS[name][0];
    const schemaId = await writer.registerSchema({ ...schema, data: new TextEncoder().encode(text) });
    const channel = { schemaId, topic: name, messageEncoding: 'cdr', metadata: new Map<string, string>() };
    channels.set(name, await writer.registerChannel(channel));
  }
  for (let sequence = 0; sequence < frames; sequence++) {
    const logTime = START + BigInt(sequence) * FRAME_NS;
    for (const name of names) {
      const message = { channelId: channels.get(name)!, sequence, logTime, publishTime: logTime };
      await writer.addMessage({ ...message, data: await TOPICS[name][1](logTime) });
    }
  }
  await writer.end();
  return bytes();
};

/** The data of all messages, by topic, as the library of the format's authors reads them, with all checksums. */
export const readDrive = async (bytes: Uint8Array): Promise<Readonly<Record<string, Uint8Array[]>>> => {
  const reader = await openByIndex(bytes);
  const found: Record<string, Uint8Array[]> = {};
  for await (const { channelId, data } of reader.readMessages({ validateCrcs: true })) {
    const { topic } = reader.channelsById.get(channelId)!;
    (found[topic] ??= []).push(data);
  }
  return found;
};
