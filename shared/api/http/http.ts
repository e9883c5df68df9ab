import type { Static, TSchema } from 'typebox';
import type { ReceivedFile } from '../../ports/storage';

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
export interface Asked {
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
export interface ApiRequest extends Omit<Asked, 'readBody'> {
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
