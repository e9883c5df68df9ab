import { MessageProblem, FIELD_KINDS, type FieldKind } from './image-message';

/** One field as it is serialised. */
export interface RosField {
  readonly name: string;
  readonly kind: FieldKind;
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  uint8: 'u8',
  byte: 'u8',
  char: 'u8',
  uint32: 'u32',
  string: 'text',
  time: 'time',
  'builtin_interfaces/Time': 'time',
  'uint8[]': 'bytes',
  'byte[]': 'bytes',
};

/** Definitions of the other types that image messages may have; any other definition of them is a lie. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'std_msgs/Header': [
    'uint32 seq,time stamp,string frame_id',
    'builtin_interfaces/Time stamp,string frame_id',
  ],
  'builtin_interfaces/Time': ['int32 sec,uint32 nanosec'],
};
const HEADERS: Readonly<Record<'ros1' | 'ros2', readonly RosField[]>> = {
  ros1: [
    { name: 'seq', kind: 'u32' },
    { name: 'stamp', kind: 'time' },
    { name: 'frame_id', kind: 'text' },
  ],
  ros2: [
    { name: 'stamp', kind: 'time' },
    { name: 'frame_id', kind: 'text' },
  ],
};

/** Longest definition that is read; those of images have 2 kB. */
const MAX_BYTES = 65_536;

/** `std_msgs/msg/Header` → `std_msgs/Header`, of which ROS 1 writes `Header`. */
const typeOf = (written: string): string => {
  const type = written.replace('/msg/', '/');
  return type === 'Header' ? 'std_msgs/Header' : type;
};

/** The lines `type name` of a definition, by type; those of the message itself by ''. */
const sectionsOf = (definition: string): Map<string, string[]> => {
  let lines: string[] = [];
  const sections = new Map([['', lines]]);
  for (const written of definition.split(/\r?\n/)) {
    const line = written.replace(/#.*/, '').trim();
    const [, section] = /^MSG:\s*(\S+)/.exec(line) ?? [];
    if (section !== undefined) {
      lines = [];
      sections.set(typeOf(section), lines);
      continue;
    }
    const [type = '', name = ''] = line.split(/\s+/);
    // A constant has its value behind a `=`.
    if (line === '' || /^=+$/.test(line) || /^\S+\s+\w+\s*=/.test(line)) continue;
    lines.push(`${typeOf(type)} ${name}`);
  }
  return sections;
};

const requireKnown = (sections: ReadonlyMap<string, readonly string[]>): void => {
  for (const [type, lines] of sections) {
    if (type !== '' && !(KNOWN[type] ?? []).includes(lines.join(','))) {
      throw new MessageProblem(`its schema defines the type ${JSON.stringify(type)} in another way`);
    }
  }
};

/**
 * The fields of an image message in the order in which they are serialised.
 *
 * No other types than times and headers are resolved, so that a schema cannot refer to itself.
 *
 * @throws MessageProblem where it has other fields than images
 */
export const rosFields = (definition: Uint8Array, ros: 'ros1' | 'ros2'): readonly RosField[] => {
  if (definition.length > MAX_BYTES) throw new MessageProblem('its schema is too long');
  const sections = sectionsOf(new TextDecoder().decode(definition));
  requireKnown(sections);
  return sections.get('')!.flatMap((line): readonly RosField[] => {
    const [type = '', name = ''] = line.split(' ');
    if (type === 'std_msgs/Header' && name === 'header') return HEADERS[ros];
    const kind = KINDS[type];
    if (kind === undefined || kind !== FIELD_KINDS[name]) {
      throw new MessageProblem(`its schema has the field ${JSON.stringify(line)}`);
    }
    return [{ name, kind }];
  });
};
