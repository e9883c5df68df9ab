import { joinBytes } from '../../../engine/formats/bytes';
import type { Schema } from '../records';
import {
  FIELD_KINDS,
  imageMessage,
  MessageProblem,
  requireFields,
  type FieldKind,
  type ImageKind,
  type MessageReader,
} from './image-message';
import { bytesField, wireFields, type WireField } from './protobuf-wire';

/** Field numbers of `google/protobuf/descriptor.proto`. */
const FILE = 1;
const PACKAGE = 2;
const MESSAGE_TYPE = 4;
const NAME = 1;
const FIELD = 2;
const FIELD_NUMBER = 3;
const FIELD_TYPE = 5;

/** Kinds of fields by the number of their type there; messages are times. */
const KINDS: Readonly<Record<number, FieldKind>> = {
  7: 'u32',
  9: 'text',
  11: 'time',
  12: 'bytes',
  13: 'u32',
};

const textIn = (fields: readonly WireField[], number: number): string =>
  new TextDecoder().decode(fields.find((one) => one.number === number)?.bytes);
const numberIn = (fields: readonly WireField[], number: number): number =>
  fields.find((one) => one.number === number)?.value ?? 0;
const messagesIn = (fields: readonly WireField[], number: number): WireField[][] =>
  fields.filter((one) => one.number === number).map(({ bytes }) => wireFields(bytes));

/** Longest descriptor that is read; that of an image has 1 kB. */
const MAX_BYTES = 262_144;

interface Described {
  readonly name: string;
  readonly kind: FieldKind;
}

/** The fields of a message by number, as its file describes them. @throws MessageProblem */
const describedFields = ({ name, data }: Schema): ReadonlyMap<number, Described> => {
  if (data.length > MAX_BYTES) throw new MessageProblem('its schema is too long');
  const message = messagesIn(wireFields(data), FILE)
    .flatMap((file) => messagesIn(file, MESSAGE_TYPE).map((one) => ({ file, one })))
    .find(({ file, one }) => `${textIn(file, PACKAGE)}.${textIn(one, NAME)}` === name)?.one;
  if (!message) throw new MessageProblem('its schema does not describe it');
  return new Map(
    messagesIn(message, FIELD).map((field) => {
      const named = textIn(field, NAME);
      const kind = KINDS[numberIn(field, FIELD_TYPE)];
      if (kind === undefined || kind !== FIELD_KINDS[named]) {
        throw new MessageProblem(`its schema has another field ${JSON.stringify(named)}`);
      }
      return [numberIn(field, FIELD_NUMBER), { name: named, kind }] as const;
    }),
  );
};

const NS_PER_SECOND = 1_000_000_000n;

const [SECONDS, NANOS] = [1, 2];

/** Of `google.protobuf.Timestamp`. @throws MessageProblem where it is none: another message could hide an image */
const stampOf = (fields: readonly WireField[]): bigint => {
  if (fields.length > 2 || fields.some(({ number, bytes }) => number > NANOS || bytes.length > 0)) {
    throw new MessageProblem('its messages have other fields than its schema');
  }
  return BigInt(numberIn(fields, SECONDS)) * NS_PER_SECOND + BigInt(numberIn(fields, NANOS));
};

/** @throws MessageProblem where the schema is none of such images */
export const createProtobufReader = (kind: ImageKind, schema: Schema): MessageReader => {
  const described = describedFields(schema);
  requireFields(
    kind,
    [...described.values()].map(({ name }) => name),
  );
  return (message) => {
    const fields = wireFields(message);
    const numbers: Record<string, number> = {};
    const texts: Record<string, string> = {};
    const seen = new Set<number>();
    let stamp = 0n;
    let data = new Uint8Array(0);
    for (const { number, value, bytes } of fields) {
      const one = described.get(number);
      // A field that comes twice, or that nobody describes, could hide an image.
      if (!one || seen.has(number)) {
        throw new MessageProblem('its messages have other fields than its schema');
      }
      seen.add(number);
      if (one.kind === 'u32') numbers[one.name] = value;
      else if (one.kind === 'text') texts[one.name] = new TextDecoder().decode(bytes);
      else if (one.kind === 'time') stamp = stampOf(wireFields(bytes));
      else data = bytes as typeof data;
    }
    return imageMessage(kind, { numbers, texts, stamp, data }, (other, format) =>
      joinBytes(
        fields.flatMap(({ number, whole }) => {
          const one = described.get(number);
          if (one?.kind === 'bytes') return bytesField(number, other);
          if (one?.name !== 'format' || format === undefined) return [whole];
          return bytesField(number, new TextEncoder().encode(format));
        }),
      ),
    );
  };
};
