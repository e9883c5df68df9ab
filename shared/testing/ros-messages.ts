import { joinBytes } from '../engine/formats/bytes';
import { u32 } from '../media/mcap/fields';

export const utf8 = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new TextEncoder().encode(value) : value;

/** Bytes behind their number. */
export const counted = (bytes: Uint8Array): Uint8Array => joinBytes([u32(bytes.length), bytes]);

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
