import type { Static, TSchema } from 'typebox';
import type { ReceivedFile, StoredFile } from '../../ports/storage';

/** A long list, whose elements need not be in memory together. */
export interface LongArray<T> {
  /** Reads the elements, some at a time; the same ones each time. */
  groups(): AsyncIterable<readonly T[]>;
  /** An element in the contract's words. */
  write(element: T): unknown;
  /** See `ApiService`. */
  nextTurn(): Promise<void>;
}

/** A file to be had. Stored ones are read while they are sent; rendered ones are in memory. */
export interface ServedFile {
  readonly contentType: string;
  /** To save it under; may be hostile. */
  readonly name: string;
  readonly file: StoredFile | Uint8Array;
  /** Names a stored file's bytes, so that they need not be read for it. A file in memory needs none. */
  readonly tag?: string | undefined;
}

/** What JSON is saved as. Such an answer can be had in parts, and has a tag. */
interface Saved {
  readonly saveAs?: string;
}

interface WithHeaders {
  /** Next to those that each answer of its form has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a handler answers, as values. A client in the same program takes them as they are; for all others the edge makes
 * bytes of them, once (`respond.ts`).
 */
export type HandlerAnswer =
  | ({ readonly value: unknown } & Saved & WithHeaders)
  | ({ readonly list: LongArray<unknown> } & Saved)
  | ({ readonly download: ServedFile } & WithHeaders)
  | { readonly events: AsyncIterable<unknown> };

/** A part of a multipart body that contains a file. */
export interface UploadPart {
  readonly name: string;
  readonly filename: string | null;
  readonly contentType: string;
  readonly file: ReceivedFile;
}

/** What a host computes while it receives an upload. */
export interface ReceiveOptions {
  /** The `digest` of each file: a host that writes the file computes it on the way, and never reads the file for it. */
  readonly withDigest: boolean;
}

/** What a handler reads of a request, whether it came in bytes or from a client in the same program. */
export interface HandlerRequest {
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters that the endpoint does not have, as they were sent; absent: none. */
  readonly ignoredParameters?: readonly string[];
  /**
   * Receives the multipart body. Called once at most, and only by routes that accept a file.
   *
   * @throws ApiError `not_multipart`, `upload_too_large`, `upload_broken`, `upload_too_slow`, after discarding the
   *   received parts
   */
  readonly receiveUpload: (options: ReceiveOptions) => Promise<readonly UploadPart[]>;
  /**
   * Receives a JSON body that the schema describes. Called once at most, and only by routes that accept one.
   *
   * @throws ApiError as `ApiRequest.receiveBody`, and 422
   */
  readonly readBody: <S extends TSchema>(schema: S, maxBytes: number) => Promise<Static<S>>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request, independent of Fastify, Fetch and the DOM. */
export interface ApiRequest extends Omit<HandlerRequest, 'readBody'> {
  readonly method: string;
  /** Path and query as they were sent, still percent-encoded. */
  readonly url: string;
  /**
   * Receives a body without a file. Called once at most, and only by routes that accept one.
   *
   * @throws ApiError `body_too_large`, `upload_broken`, `upload_too_slow`
   */
  readonly receiveBody: (maxBytes: number) => Promise<Uint8Array>;
}

/** Bytes, or pieces of bytes that are read while they are sent, so that large files need little memory. */
export type ApiBody = Uint8Array | AsyncIterable<Uint8Array>;

/** An answer that a host sends unchanged. The host stops reading `body` when the client disconnects. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiBody;
}

/** Whitespace around a header's value that HTTP ignores. Other whitespace is part of the value. */
const OUTER_SPACE = /^[\t ]+|[\t ]+$/g;

/**
 * A header's value as text, equal on all hosts.
 *
 * HTTP transfers bytes, which servers and browsers deliver as one character each, and clients encode text in UTF-8. A
 * request inside a page contains plain text.
 *
 * @returns the value itself where its bytes are not UTF-8
 */
export const headerText = (value: string): string => {
  const trimmed = value.replaceAll(OUTER_SPACE, '');
  const codes = Array.from(trimmed, (character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => code > 0xff)) return trimmed;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch {
    return trimmed;
  }
};

/**
 * Text as a header's value for `fetch`, which refuses characters outside Latin-1. Such text is encoded in UTF-8.
 *
 * @see headerText the reverse
 */
export const headerValue = (text: string): string => {
  const isLatin1 = Array.from(text).every((character) => (character.codePointAt(0) ?? 0) <= 0xff);
  return isLatin1 ? text : String.fromCharCode(...new TextEncoder().encode(text));
};

/** All bytes of a body, for callers that cannot read it in pieces. */
export const bytesOf = async (body: ApiBody): Promise<Uint8Array> => {
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    sizeBytes += piece.byteLength;
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
};
