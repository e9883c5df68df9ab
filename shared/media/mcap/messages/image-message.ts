/** What a message holds: rows of pixels, an image file, or an access unit of a video. */
export type ImageKind = 'raw' | 'compressed' | 'video';

/** One image of a topic. */
export interface ImageMessage {
  readonly kind: ImageKind;
  /** The encoding of pixels, or the format of a file, as the message names it. */
  readonly format: string;
  /** Of `raw`, in px; 0 for the others, whose data say it. */
  readonly width: number;
  readonly height: number;
  /** Bytes of a row. */
  readonly step: number;
  readonly isBigEndian: boolean;
  /** When it was taken, in nanoseconds; 0: it does not say. */
  readonly stamp: bigint;
  readonly data: Uint8Array;
  /** The whole message with other data, and another format if it is given. All other fields keep their bytes. */
  withData(data: Uint8Array, format?: string): Uint8Array;
}

/** Reads one message. @throws MessageProblem */
export type MessageReader = (message: Uint8Array) => ImageMessage;

/** Why images cannot be read, as a clause. */
export class MessageProblem extends Error {
  override readonly name = 'MessageProblem';
}

/** What the fields of an image message are; those of a header are listed on their own. */
export type FieldKind = 'u8' | 'u32' | 'time' | 'text' | 'bytes';

/** All fields that image messages have. A message with any other field is not read: it could hold an image, too. */
export const FIELD_KINDS: Readonly<Record<string, FieldKind>> = {
  seq: 'u32',
  stamp: 'time',
  timestamp: 'time',
  frame_id: 'text',
  height: 'u32',
  width: 'u32',
  encoding: 'text',
  is_bigendian: 'u8',
  step: 'u32',
  format: 'text',
  data: 'bytes',
};

const REQUIRED = {
  raw: ['width', 'height', 'encoding', 'step', 'data'],
  compressed: ['format', 'data'],
  video: ['format', 'data'],
} as const satisfies Record<ImageKind, readonly string[]>;

/** @param names of all fields of a message. @throws MessageProblem where it is none of this kind */
export const requireFields = (kind: ImageKind, names: readonly string[]): void => {
  const unknown = names.find((name) => !Object.hasOwn(FIELD_KINDS, name));
  if (unknown !== undefined) {
    throw new MessageProblem(`its messages have a field ${JSON.stringify(unknown)}`);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new MessageProblem(`its messages have the field ${JSON.stringify(twice)} twice`);
  }
  const missing = REQUIRED[kind].find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw new MessageProblem(`its messages have no field ${JSON.stringify(missing)}`);
  }
};

/** Values of fields by name, for messages of all encodings. */
export interface FieldValues {
  readonly numbers: Readonly<Partial<Record<string, number>>>;
  readonly texts: Readonly<Partial<Record<string, string>>>;
  readonly stamp: bigint;
  readonly data: Uint8Array;
}

/** Longest text of a message, in characters: a longer one could be an image, and is copied as it is. */
const MAX_TEXT = 1024;

/** @throws MessageProblem where a text is too long for one */
export const imageMessage = (
  kind: ImageKind,
  { numbers, texts, stamp, data }: FieldValues,
  withData: ImageMessage['withData'],
): ImageMessage => {
  const [long] = Object.entries(texts).find(([, value]) => (value ?? '').length > MAX_TEXT) ?? [];
  if (long !== undefined) throw new MessageProblem(`its messages have a long text ${JSON.stringify(long)}`);
  return {
    kind,
    format: (kind === 'raw' ? texts['encoding'] : texts['format']) ?? '',
    width: numbers['width'] ?? 0,
    height: numbers['height'] ?? 0,
    step: numbers['step'] ?? 0,
    isBigEndian: numbers['is_bigendian'] === 1,
    ...{ stamp, data, withData },
  };
};
