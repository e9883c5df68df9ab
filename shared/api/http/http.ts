import type { ReceivedFile } from '../../ports/storage';

/** One part of a multipart body that carries a file. */
export interface UploadPart {
  readonly name: string;
  readonly filename: string | null;
  readonly contentType: string;
  readonly file: ReceivedFile;
}

/** A request as both hosts hand it over: no Fastify, no Fetch, no DOM. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query as sent, still percent-encoded. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Receives the multipart body; called at most once, and only by routes that take a file.
   *
   * @throws ApiError `not_multipart`, `upload_too_large`, `upload_broken`; what was received is discarded then
   */
  readonly receiveUpload: () => Promise<readonly UploadPart[]>;
  /**
   * Receives a body that carries no file; called at most once, and only by routes that take one.
   *
   * @throws ApiError `body_too_large`, `upload_broken`
   */
  readonly receiveBody: (maxBytes: number) => Promise<Uint8Array>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Bytes, or pieces of them that are read while they are sent: memory stays flat however large a file is. */
export type ApiBody = Uint8Array | AsyncIterable<Uint8Array>;

/** An answer that a host sends as it is; it breaks a reading of `body` off when its client goes away. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiBody;
}
