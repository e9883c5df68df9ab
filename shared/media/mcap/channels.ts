import { UnreadableFile } from '../../domain/failure';
import { joinBytes } from '../../engine/formats/bytes';
import { damagedBag } from './fields';
import { parseChannel, parseSchema, type Channel, type Schema } from './records';

/** A channel with the schema of its messages. */
export interface KnownChannel extends Channel {
  readonly schema: Schema | undefined;
  /** Fields of its record. */
  readonly content: Uint8Array;
}

/** Bytes of all schemas and channels: they are held, and a few packed bytes can become gigabytes of them. */
const MAX_BYTES = 64 * 1024 ** 2;

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** The schemas and channels of a bag. Both are repeated in chunks, and must then be the same. */
export const createChannels = () => {
  const schemas = new Map<number, { readonly schema: Schema; readonly content: Uint8Array }>();
  const channels = new Map<number, KnownChannel>();
  let heldBytes = 0;
  const hold = (content: Uint8Array): void => {
    heldBytes += content.length;
    if (heldBytes <= MAX_BYTES) return;
    throw new UnreadableFile(`The bag has schemas and channels of more than ${MAX_BYTES} bytes.`);
  };
  return {
    schemas,
    channels,
    /** @returns whether it was not known before. @throws UnreadableFile where it has another content than before */
    addSchema: (content: Uint8Array): boolean => {
      const own = joinBytes([content]);
      const schema = parseSchema(own);
      const known = schemas.get(schema.id);
      if (known && !isSame(known.content, own)) {
        throw damagedBag(`it has two different schemas ${schema.id}`);
      }
      if (known) return false;
      hold(own);
      schemas.set(schema.id, { schema, content: own });
      return true;
    },
    /** The same for a channel. @returns undefined where it was known before */
    addChannel: (content: Uint8Array): KnownChannel | undefined => {
      const own = joinBytes([content]);
      const channel = parseChannel(own);
      const known = channels.get(channel.id);
      if (known) {
        if (isSame(known.content, own)) return undefined;
        throw damagedBag(`it has two different channels ${channel.id}`);
      }
      const schema = schemas.get(channel.schemaId)?.schema;
      if (channel.schemaId !== 0 && !schema) {
        throw damagedBag(`the topic ${JSON.stringify(channel.topic)} has no schema`);
      }
      hold(own);
      const added = { ...channel, schema, content: own };
      channels.set(channel.id, added);
      return added;
    },
    /** @throws UnreadableFile */
    get: (id: number): KnownChannel => {
      const channel = channels.get(id);
      if (!channel) throw damagedBag(`a message has the channel ${id}, which is not described before`);
      return channel;
    },
  };
};

export type Channels = ReturnType<typeof createChannels>;
