import type { StoredFile } from '../../ports/storage';

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
  /** Beside those that each answer of its form has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a handler answers, as values. A client in the same program takes them as they are; for all others the edge makes
 * bytes of them, once (`respond-answer.ts`).
 */
export type HandlerAnswer =
  | ({ readonly value: unknown } & Saved & WithHeaders)
  | ({ readonly list: LongArray<unknown> } & Saved)
  | ({ readonly download: ServedFile } & WithHeaders)
  | { readonly events: AsyncIterable<unknown> };
