import { joinBytes, viewOf } from '../../../engine/formats/bytes';
import {
  imageMessage,
  MessageProblem,
  requireFields,
  type ImageKind,
  type MessageReader,
} from './image-message';
import { rosFields, type RosField } from './ros-definition';

/** How values are laid out. */
interface Wire {
  /** Offset of the first value; alignment counts from it. */
  readonly start: number;
  readonly isAligned: boolean;
  readonly isLittle: boolean;
}

const ROS1: Wire = { start: 0, isAligned: false, isLittle: true };
const CDR_HEAD = 4;
/** The encapsulations that ROS 2 writes: plain CDR in both byte orders. */
const [CDR_BIG, CDR_LITTLE] = [0, 1];

/** @throws MessageProblem */
const cdrWire = (message: Uint8Array): Wire => {
  const kind = message[0] === 0 ? message[1] : undefined;
  if (message.length < CDR_HEAD || (kind !== CDR_BIG && kind !== CDR_LITTLE)) {
    throw new MessageProblem('its messages are not plain CDR');
  }
  return { start: CDR_HEAD, isAligned: true, isLittle: kind === CDR_LITTLE };
};

/** A value, and where it stands. Texts and bytes are without their length, texts with the zero at their end. */
interface Placed {
  readonly field: RosField;
  readonly from: number;
  readonly until: number;
}

const WORD = 4;
const TIME_BYTES = 8;
/** Bytes that some middlewares append to a message, so that it ends at a whole word. */
const MAX_PADDING = 3;

const aligned = (at: number, { start, isAligned }: Wire): number =>
  isAligned ? start + Math.ceil((at - start) / WORD) * WORD : at;

/** Finds all values of a message. @throws MessageProblem where it is shorter or longer than its fields */
const placeFields = (message: Uint8Array, fields: readonly RosField[], wire: Wire): Placed[] => {
  const view = viewOf(message);
  let at = wire.start;
  const take = (bytes: number): { readonly from: number; readonly until: number } => {
    if (bytes > message.length - at) throw new MessageProblem('its messages end before their fields do');
    at += bytes;
    return { from: at - bytes, until: at };
  };
  const placed = fields.map((field): Placed => {
    if (field.kind === 'u8') return { field, ...take(1) };
    at = aligned(at, wire);
    if (field.kind === 'u32') return { field, ...take(WORD) };
    if (field.kind === 'time') return { field, ...take(TIME_BYTES) };
    const length = view.getUint32(take(WORD).from, wire.isLittle);
    return { field, ...take(length) };
  });
  if (message.length - at > (wire.isAligned ? MAX_PADDING : 0)) {
    throw new MessageProblem('its messages are longer than their fields');
  }
  return placed;
};

/** The message with other values of some fields; those behind them are aligned again. */
const withValues = (
  message: Uint8Array,
  placed: readonly Placed[],
  wire: Wire,
  values: ReadonlyMap<string, Uint8Array>,
): Uint8Array => {
  const parts: Uint8Array[] = [message.subarray(0, wire.start)];
  let at = wire.start;
  const put = (part: Uint8Array): void => {
    parts.push(part);
    at += part.length;
  };
  const align = (): void => put(new Uint8Array(aligned(at, wire) - at));
  for (const { field, from, until } of placed) {
    const value = values.get(field.name) ?? message.subarray(from, until);
    if (field.kind !== 'u8') align();
    if (field.kind === 'text' || field.kind === 'bytes') {
      const length = new Uint8Array(WORD);
      viewOf(length).setUint32(0, value.length, wire.isLittle);
      put(length);
    }
    put(value);
  }
  return joinBytes([...parts, message.subarray(placed.at(-1)?.until ?? wire.start)]);
};

const NS_PER_SECOND = 1_000_000_000n;

/**
 * Reads messages of ROS by their definition.
 *
 * @throws MessageProblem where the schema is none of such images
 */
export const createRosReader = (
  kind: ImageKind,
  definition: Uint8Array,
  ros: 'ros1' | 'ros2',
): MessageReader => {
  const fields = rosFields(definition, ros);
  requireFields(
    kind,
    fields.map(({ name }) => name),
  );
  return (message) => {
    const wire = ros === 'ros1' ? ROS1 : cdrWire(message);
    const placed = placeFields(message, fields, wire);
    const view = viewOf(message);
    const numbers: Record<string, number> = {};
    const texts: Record<string, string> = {};
    let stamp = 0n;
    let data = new Uint8Array(0);
    for (const { field, from, until } of placed) {
      const { name } = field;
      if (field.kind === 'u8') numbers[name] = message[from]!;
      else if (field.kind === 'u32') numbers[name] = view.getUint32(from, wire.isLittle);
      else if (field.kind === 'time') {
        const [seconds, ns] = [from, from + WORD].map((at) => BigInt(view.getUint32(at, wire.isLittle)));
        stamp = seconds! * NS_PER_SECOND + ns!;
      } else if (field.kind === 'bytes') data = message.subarray(from, until) as typeof data;
      else texts[name] = new TextDecoder().decode(message.subarray(from, until)).replace(/\0$/, '');
    }
    return imageMessage(kind, { numbers, texts, stamp, data }, (other, format) => {
      const end = wire.isAligned ? '\0' : '';
      const named = format === undefined ? [] : [['format', new TextEncoder().encode(format + end)] as const];
      return withValues(message, placed, wire, new Map([['data', other], ...named]));
    });
  };
};
