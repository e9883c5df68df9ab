import type { Channel, Schema } from '../records';
import { MessageProblem, type ImageKind, type MessageReader } from './image-message';
import { createJsonReader } from './json';
import { createProtobufReader } from './protobuf';
import { createRosReader } from './ros';

/** Schemas of images, as ROS 1, ROS 2 and Foxglove name them; `/msg/` is left out. */
const KINDS: Readonly<Record<string, ImageKind>> = {
  'sensor_msgs/Image': 'raw',
  'sensor_msgs/CompressedImage': 'compressed',
  'foxglove.RawImage': 'raw',
  'foxglove.CompressedImage': 'compressed',
  'foxglove.CompressedVideo': 'video',
  'foxglove_msgs/RawImage': 'raw',
  'foxglove_msgs/CompressedImage': 'compressed',
  'foxglove_msgs/CompressedVideo': 'video',
};

/** Parts of names of schemas whose messages are likely to show something, and of those that only describe images. */
const LIKELY = /image|video|picture|photo|snapshot|thumbnail|jpe?g|h26[45]|hevc|theora|ffmpeg|rgbd|webp/i;
const DESCRIBING = /annotation|marker|info|calibration/i;
/** Images as parts of other messages. */
const NESTED =
  /(sensor_msgs\/(msg\/)?|foxglove(_msgs\/(msg\/)?|\.))((Raw|Compressed)?Image|CompressedVideo)\b/;

export const imageKindOf = ({ name }: Schema): ImageKind | undefined => KINDS[name.replace('/msg/', '/')];

/** Whether the messages of a schema that is not read may show something. */
export const mayShow = ({ name, data }: Schema): boolean =>
  (LIKELY.test(name) && !DESCRIBING.test(name)) || NESTED.test(new TextDecoder().decode(data));

/** @throws MessageProblem where messages of this kind cannot be read */
export const createImageReader = (
  kind: ImageKind,
  schema: Schema,
  { messageEncoding }: Pick<Channel, 'messageEncoding'>,
): MessageReader => {
  const { encoding, data } = schema;
  if (messageEncoding === 'ros1' && encoding === 'ros1msg') return createRosReader(kind, data, 'ros1');
  if (messageEncoding === 'cdr' && encoding === 'ros2msg') return createRosReader(kind, data, 'ros2');
  if (messageEncoding === 'protobuf' && encoding === 'protobuf') return createProtobufReader(kind, schema);
  if (messageEncoding === 'json') return createJsonReader(kind);
  const [message, description] = [messageEncoding, encoding].map((name) => JSON.stringify(name));
  throw new MessageProblem(`its messages are ${message} with a schema in ${description}`);
};
