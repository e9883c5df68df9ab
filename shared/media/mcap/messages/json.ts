import { base64 } from '../../../report/byte-text';
import {
  imageMessage,
  MessageProblem,
  requireFields,
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

/** `{ sec, nsec }`. */
const stampOf = (time: unknown): bigint => {
  const { sec, nsec } = (typeof time === 'object' && time !== null ? time : {}) as Record<string, unknown>;
  return Number.isSafeInteger(sec) && Number.isSafeInteger(nsec)
    ? BigInt(sec as number) * NS_PER_SECOND + BigInt(nsec as number)
    : 0n;
};

const parse = (message: Uint8Array): Record<string, unknown> => {
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
    const ofType = <T>(type: string): Record<string, T> =>
      Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === type)) as Record<string, T>;
    const facts = {
      numbers: ofType<number>('number'),
      texts: ofType<string>('string'),
      stamp: stampOf(value['timestamp']),
      data: bytesOf(value['data']),
    };
    return imageMessage(kind, facts, (data, format = value['format']) =>
      new TextEncoder().encode(
        JSON.stringify({ ...value, data: base64(data), ...(format !== undefined && { format }) }),
      ),
    );
  };
