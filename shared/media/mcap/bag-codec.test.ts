import { describe, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS, type BagOptions } from '../../domain/bag';
import { LIMITS } from '../../domain/limits';
import { joinBytes, viewOf } from '../../engine/formats/bytes';
import type { BagFrame } from '../../ports/bag';
import type { ImageCodec } from '../../ports/codec';
import { makeBag, type MadeBag, type MadeChannel, type MadeMessage } from '../../testing/bags';
import { rosMessage, ROS_SCHEMAS } from '../../testing/ros-messages';
import { createMemoryTarget, memorySource } from '../../testing/memory-target';
import { RAMP_JPEG } from '../../testing/ramp-images';
import { createBagCodec } from './bag-codec';
import { readRecords, recordsIn } from './bag-file';
import { createChunkCoding } from './chunk-coding';
import { OPCODE, parseChunk } from './records';

const SIGNAL = new AbortController().signal;
const SECOND = 1_000_000_000n;
const START = 1_700_000_000n * SECOND;

const BYTES: MadeChannel = {
  topic: '/points',
  encoding: 'cdr',
  schema: { name: 'sensor_msgs/msg/PointCloud2', encoding: 'ros2msg', text: 'uint8[] data' },
};
const channel = (name: keyof typeof ROS_SCHEMAS, topic = '/camera'): MadeChannel => ({
  topic,
  encoding: name.endsWith('1') ? 'ros1' : 'cdr',
  schema: ROS_SCHEMAS[name],
});

const SIZE = { width: 4, height: 2 };
/** A raw image of one grey level, with two bytes next to each row. */
const grey = (time: bigint, level: number, encoding = 'mono8'): Uint8Array =>
  rosMessage('ros2', [
    ...[{ time }, 'optical', SIZE.height, SIZE.width, encoding, { byte: 0 }, SIZE.width + 2],
    new Uint8Array(SIZE.height * (SIZE.width + 2)).fill(level),
  ]);

const cloud = (at: number): MadeMessage => ({
  channel: 1,
  logTime: START + BigInt(at),
  sequence: at,
  data: Uint8Array.of(at, 2, 3),
});
const image = (at: number, data = grey(START + BigInt(at), 10 * at)): MadeMessage => ({
  channel: 0,
  logTime: START + BigInt(at),
  sequence: at,
  publishTime: 7n,
  data,
});

const BAG: MadeBag = {
  channels: [channel('raw2'), BYTES],
  chunks: [
    [image(1), cloud(1), image(3)],
    [image(2), cloud(2)],
  ],
  compression: '',
};

/** A codec whose image files are decoded to one black pixel each, and written as one byte. */
const CODEC = {
  decode: async () => ({ width: 4, height: 2, data: new Uint8Array(32) }),
  encodeLossy: async () => Uint8Array.of(0xff),
  encodePng: async () => Uint8Array.of(0x89),
} as ImageCodec;

const open = async (
  bytes: Uint8Array,
  options: Partial<BagOptions> = {},
  limits: Partial<typeof LIMITS> = {},
) =>
  createBagCodec().open(
    memorySource(bytes),
    { options: { ...DEFAULT_BAG_OPTIONS, ...options }, limits: { ...LIMITS, ...limits }, codec: CODEC },
    SIGNAL,
  );

const whiten = async ({ raster }: BagFrame): Promise<void> => void raster.data.fill(255, 0, 4);

const copied = async (bag: MadeBag, options: Partial<BagOptions> = {}): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  await (await open(await makeBag(bag), options)).copy(target, whiten, SIGNAL);
  return target.bytes();
};

/** The records of a bag, with those in its chunks; chunks themselves as their compression. */
const listed = async (bytes: Uint8Array): Promise<(readonly [opcode: number, content: Uint8Array])[]> => {
  const records: (readonly [number, Uint8Array])[] = [];
  for await (const { opcode, content } of readRecords(memorySource(bytes), SIGNAL)) {
    if (opcode === OPCODE.chunk) {
      const chunk = await createChunkCoding(undefined).unpack(parseChunk(content));
      for (const inner of recordsIn(chunk)) records.push([inner.opcode, inner.content]);
    } else if (opcode !== OPCODE.messageIndex) records.push([opcode, content]);
  }
  return records;
};
const messagesOf = async (bytes: Uint8Array, id: number): Promise<Uint8Array[]> =>
  (await listed(bytes))
    .filter(([opcode, content]) => opcode === OPCODE.message && viewOf(content).getUint16(0, true) === id)
    .map(([, content]) => content);

describe.each(['', 'lz4', undefined])('a copy of a bag with the compression %j', (compression) => {
  const bag = { ...BAG, compression };

  it('has all other messages, and all heads of images, byte by byte and in their order', async () => {
    const [before, after] = [await listed(await makeBag(bag)), await listed(await copied(bag))];
    const without = (records: typeof before) =>
      records.slice(1, -1).map(([opcode, content]) => {
        const isImage = opcode === OPCODE.message && viewOf(content).getUint16(0, true) === 1;
        return [opcode, isImage ? content.subarray(0, 22) : content];
      });
    expect(without(after)).toEqual(without(before));
  });

  it('has the pixels that were changed, and zeros next to the rows', async () => {
    const [first] = await messagesOf(await copied(bag), 1);
    const [source] = await messagesOf(await makeBag(bag), 1);
    const row = [10, 10, 10, 10, 0, 0];
    expect([...first!.subarray(-12)]).toEqual([255, ...row.slice(1), ...row]);
    expect(first!.subarray(0, -12)).toEqual(source!.subarray(0, -12));
  });
});

it('frames of a topic come in the order of their stamps, at times that grow', async () => {
  const bag = await open(await makeBag(BAG));
  expect(bag.facts).toEqual({
    topics: [{ name: '/camera', frames: 3, width: 4, height: 2 }],
    ...{ hasImages: true, keptTopics: [], droppedTopics: [], droppedAttachments: [], lostFrames: 0 },
  });
  const frames: (readonly number[])[] = [];
  for await (const { timestampUs, raster } of bag.frames(0, SIGNAL)) {
    frames.push([timestampUs, raster.data[0]!]);
  }
  expect(frames).toEqual([
    [0, 10],
    [1, 20],
    [2, 30],
  ]);
  const shown: number[] = [];
  await bag.copy(undefined, async ({ index }) => void shown.push(index), SIGNAL);
  expect(shown).toEqual([0, 2, 1]);
});

describe('parts of a bag', () => {
  const CAMERAS: MadeBag = {
    channels: [channel('raw2'), BYTES, channel('raw2', '/rear')],
    chunks: [[image(1), cloud(1), { ...image(2), channel: 2 }]],
    compression: 'lz4',
    metadata: ['rig'],
    attachments: [
      { name: 'calibration.yaml', mediaType: 'application/yaml', data: new TextEncoder().encode('fx: 1') },
      { name: 'thumbnail', mediaType: 'image/jpeg', data: RAMP_JPEG },
      { name: 'lie.txt', mediaType: 'text/plain', data: RAMP_JPEG },
    ],
  };

  it('are left out where other topics are named, or they are named to be', async () => {
    const only = await copied(CAMERAS, { topics: ['/rear'] });
    const rest = await copied(CAMERAS, { dropTopics: ['/rear'] });
    const counts = (bytes: Uint8Array) =>
      Promise.all([1, 2, 3].map(async (id) => (await messagesOf(bytes, id)).length));
    expect([await counts(only), await counts(rest)]).toEqual([
      [0, 0, 1],
      [1, 1, 0],
    ]);
    expect(new TextDecoder('latin1').decode(rest)).not.toContain('/rear');
  });

  it('stay as they are where they are named to', async () => {
    const bytes = await copied(CAMERAS, { keepTopics: ['/rear'] });
    const source = await makeBag(CAMERAS);
    expect(await messagesOf(bytes, 3)).toEqual(await messagesOf(source, 3));
    expect(await messagesOf(bytes, 1)).not.toEqual(await messagesOf(source, 1));
  });

  it('are left out before the start and from the end on', async () => {
    const bytes = await copied(BAG, { startS: 1e-9, endS: 2e-9 });
    expect([(await messagesOf(bytes, 1)).length, (await messagesOf(bytes, 2)).length]).toEqual([1, 1]);
  });

  it('that are attachments stay only as text, unless all are kept', async () => {
    const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
    const usual = text(await copied(CAMERAS));
    expect([usual.includes('fx: 1'), usual.includes('thumbnail'), usual.includes('lie.txt')]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await open(await makeBag(CAMERAS))).facts.droppedAttachments).toEqual(['thumbnail', 'lie.txt']);
    expect(text(await copied(CAMERAS, { keepAttachments: true }))).toContain('thumbnail');
    expect(usual).toContain('rig');
  });
});

it('a bag is without images only if no topic has images or depth, and none was named', async () => {
  const clouds = await makeBag({ ...BAG, channels: [BYTES], chunks: [[{ ...cloud(1), channel: 0 }]] });
  const hasImages = async (bag: Uint8Array, options: Partial<BagOptions> = {}) =>
    (await open(bag, options)).facts.hasImages;
  expect(await hasImages(clouds)).toBe(false);
  expect(await hasImages(clouds, { keepTopics: [BYTES.topic] })).toBe(true);
  const depth = await makeBag({ ...BAG, chunks: [[image(1, grey(START, 1, '16UC1'))]] });
  expect(await hasImages(depth, { keepDepth: true })).toBe(true);
});

describe('depth', () => {
  const depth = grey(START, 1, '16UC1');
  const bag = { ...BAG, chunks: [[image(1, depth), cloud(1)]] };

  it('is left out, unless it is kept as it is, and named in either case', async () => {
    const named = async (options: Partial<BagOptions>) => {
      const { droppedTopics, keptTopics } = (await open(await makeBag(bag), options)).facts;
      return [droppedTopics, keptTopics];
    };
    expect(await named({})).toEqual([['/camera'], []]);
    expect(await named({ keepDepth: true })).toEqual([[], ['/camera']]);
    expect(await messagesOf(await copied(bag), 1)).toEqual([]);
    expect(await messagesOf(await copied(bag, { keepDepth: true }), 1)).toEqual(
      await messagesOf(await makeBag(bag), 1),
    );
  });
});

const refusal = async (bag: MadeBag, options: Partial<BagOptions> = {}): Promise<string> =>
  open(await makeBag(bag), options).then(
    () => 'it was read',
    (error: Error) => error.message,
  );
const withData = (data: Uint8Array, made = channel('raw2')): MadeBag => ({
  ...BAG,
  channels: [made, BYTES],
  chunks: [[image(1, data)]],
});
const compressed = (format: string, data: Uint8Array): MadeBag =>
  withData(rosMessage('ros2', [{ time: START }, 'optical', format, data]), channel('compressed2'));

describe('a topic that may show something and is not read ends the run with its name', () => {
  const schema = (name: string, text: string): MadeChannel => ({
    ...channel('raw2'),
    schema: { name, encoding: 'ros2msg', text },
  });
  it.each<readonly [string, MadeBag]>([
    ['its schema is unknown', withData(grey(START, 1), schema('theora_image_transport/msg/Packet', 'x y'))],
    [
      'its messages contain images',
      withData(grey(START, 1), schema('a/msg/B', 'sensor_msgs/msg/Image left')),
    ],
    [
      'its schema lies about a field',
      withData(grey(START, 1), schema('sensor_msgs/msg/Image', 'uint32 data')),
    ],
    [
      'its schema refers to itself',
      withData(grey(START, 1), schema('sensor_msgs/msg/Image', 'sensor_msgs/Image image\nuint8[] data')),
    ],
    [
      'its schema has another header',
      withData(
        grey(START, 1),
        schema('sensor_msgs/msg/Image', ROS_SCHEMAS.raw2.text.replace('string frame_id', 'uint8[] frame_id')),
      ),
    ],
    ['its encoding is unknown', withData(grey(START, 1, 'yuv999'))],
    ['its messages are too short', withData(grey(START, 1).subarray(0, 60))],
    ['its messages are too long', withData(joinBytes([grey(START, 1), new Uint8Array(8)]))],
    ['its images are too small for their size', withData(grey(START, 1, 'rgb8'))],
    ['its files are none', compressed('jpeg', Uint8Array.of(1, 2, 3))],
    ['its messages hide files', withData(RAMP_JPEG, schema('a/msg/B', 'uint8[] data'))],
  ])('%s', async (_name, bag) => {
    expect(await refusal(bag)).toMatch(/^The topic "\/camera" cannot be anonymised: .*--drop-topic/);
    expect(await refusal(bag, { dropTopics: ['/camera'] })).toBe('it was read');
    expect(await refusal(bag, { keepTopics: ['/camera'] })).toBe('it was read');
  });

  it('also where its images have different sizes', async () => {
    const other = rosMessage('ros2', [
      ...[{ time: START }, 'optical', 1, 1, 'mono8', { byte: 0 }, 1],
      Uint8Array.of(1),
    ]);
    expect(await refusal({ ...BAG, chunks: [[image(1), image(2, other)]] })).toContain('different sizes');
  });

  it('also a topic that is wanted and missing', async () => {
    expect(await refusal(BAG, { topics: ['/front'] })).toBe('The bag has no topic "/front".');
  });
});

it('JPEG messages lose their metadata, and keep all other fields', async () => {
  const bytes = await copied(compressed('bgr8; jpeg compressed bgr8', RAMP_JPEG));
  const [message] = await messagesOf(bytes, 1);
  expect(message!.subarray(22)).toEqual(
    rosMessage('ros2', [{ time: START }, 'optical', 'bgr8; jpeg compressed bgr8', Uint8Array.of(0xff)]),
  );
});
