import { base64 } from '../../../report/byte-text';
import {
  FIELD_KINDS,
  imageMessage,
  MessageProblem,
  requireFields,
  type FieldKind,
  type ImageKind,
  type MessageReader,
} from './image-message';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const bytesOf = (text: unknown): Uint8Array => {
  if (typeof text !== 'string' || !BASE64.test(text) || text.length % 4 !== 0) {
    throw new MessageProblem('the data of its messages are not Base64');
  }
  const binary = atob(text);
  return Uint8Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at));
};

const NS_PER_SECOND = 1_000_000_000n;

const TYPES = { u8: 'number', u32: 'number', text: 'string', bytes: 'string', time: 'object' } as const;

/** @throws MessageProblem where a value has another type than its field: a list or an object could hide an image */
const requireType = (name: string, value: unknown): void => {
  if (typeof value === TYPES[FIELD_KINDS[name]!]) return;
  throw new MessageProblem(`its messages have another type of ${JSON.stringify(name)}`);
};

/** `{ sec, nsec }`. @throws MessageProblem where it is something else */
const stampOf = (time: unknown): bigint => {
  const { sec = 0, nsec = 0, ...others } = { ...(time as object | null) } as Record<string, unknown>;
  if (!Number.isSafeInteger(sec) || !Number.isSafeInteger(nsec) || Object.keys(others).length > 0) {
    throw new MessageProblem('its messages have no time in "timestamp"');
  }
  return BigInt(sec as number) * NS_PER_SECOND + BigInt(nsec as number);
};

/** Longest message that is read, in bytes: text and values of a longer one need many times its memory. */
const MAX_BYTES = 64 * 1024 ** 2;

const parse = (message: Uint8Array): Record<string, unknown> => {
  if (message.length > MAX_BYTES) throw new MessageProblem('its messages are too long');
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(message));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The sentence is the same.
  }
  throw new MessageProblem('its messages are not JSON objects');
};

/** Reads messages that are JSON objects; their own fields decide, as schemas of JSON may describe them in many ways. */
export const createJsonReader =
  (kind: ImageKind): MessageReader =>
  (message) => {
    const value = parse(message);
    requireFields(kind, Object.keys(value));
    for (const [name, one] of Object.entries(value)) requireType(name, one);
    const ofKinds = <T>(...kinds: readonly FieldKind[]): Record<string, T> =>
      Object.fromEntries(
        Object.entries(value).filter(([name]) => kinds.includes(FIELD_KINDS[name]!)),
      ) as Record<string, T>;
    const facts = {
      numbers: ofKinds<number>('u8', 'u32'),
      texts: ofKinds<string>('text'),
      stamp: stampOf(value['timestamp']),
      data: bytesOf(value['data']),
    };
    return imageMessage(kind, facts, (data, format = value['format']) =>
      new TextEncoder().encode(
        JSON.stringify({ ...value, data: base64(data), ...(format !== undefined && { format }) }),
      ),
    );
  };
