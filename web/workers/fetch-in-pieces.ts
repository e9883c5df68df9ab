import type { DiskFolder } from '../adapters/disk-folder';
import { basicSystem } from '../adapters/basic-system';

/** Why a model was not downloaded; the page has a sentence for each. */
export type FetchRefusal =
  /** No network, or the hub does not answer with the file. */
  | 'unreachable'
  /** Another file than the described one. */
  | 'other-file'
  /** Another tab downloads models. */
  | 'in-use'
  | 'no-room';

export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  constructor(
    readonly reason: FetchRefusal,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** The file to download. */
export interface WantedFile {
  readonly id: string;
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Received bytes are stored as often as this, so that an interrupted download can be resumed. */
const PIECE_BYTES = 2 * 1024 ** 2;
const PARTIAL = 206;

/** A plain request for a public file: without cookies, and without the page's address except its origin (CORS). */
const request = (url: string, from: number, signal: AbortSignal): Promise<Response> =>
  fetch(url, {
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
  });

/** Asks for the rest, and for the whole file where a host refuses ranges. @throws {FetchRefused} */
const ask = async (url: string, from: number, signal: AbortSignal): Promise<Response> => {
  try {
    const response = await request(url, from, signal).catch((cause: unknown) => {
      if (from === 0 || signal.aborted) throw cause;
      return request(url, 0, signal);
    });
    if (!response.ok || !response.body) throw new Error(`The hub answers with status ${response.status}`);
    return response;
  } catch (cause) {
    signal.throwIfAborted();
    throw new FetchRefused('unreachable', { cause });
  }
};

/** The stored pieces of a file: their names are its hash and their number. */
const piecesIn = (folder: DiskFolder, { sha256 }: WantedFile) => {
  const nameOf = (index: number): string => `${sha256}-${index}`;
  return {
    read: async (): Promise<Blob[]> => {
      const pieces: Blob[] = [];
      for (;;) {
        const piece = await folder.file(nameOf(pieces.length));
        if (!piece) return pieces;
        pieces.push(piece);
      }
    },
    write: (index: number, piece: Blob) => folder.write(nameOf(index), piece),
    remove: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) await folder.remove(nameOf(index));
    },
  };
};

const sizeOf = (pieces: readonly Blob[]): number => pieces.reduce((sum, { size }) => sum + size, 0);

/** Stores a body in pieces as it arrives. @throws {FetchRefused} */
const storeBody = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  first: { readonly index: number; readonly received: number },
  { bytes }: WantedFile,
  { write, onBytes }: { write: (index: number, piece: Blob) => Promise<void>; onBytes: (n: number) => void },
): Promise<void> => {
  const reader = body.getReader();
  let { index, received } = first;
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let waitingBytes = 0;
  const store = async (): Promise<void> => {
    if (waitingBytes > 0) await write(index++, new Blob(waiting));
    [waiting, waitingBytes] = [[], 0];
  };
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      received += part.value.length;
      if (received > bytes) throw new FetchRefused('other-file');
      waiting.push(part.value);
      waitingBytes += part.value.length;
      if (waitingBytes >= PIECE_BYTES) await store();
      onBytes(received);
    }
  } finally {
    await store(); // also what arrived before an interruption
    await reader.cancel().catch(() => undefined);
  }
};

/**
 * Downloads a file into pieces on the disk, and resumes an interrupted download.
 *
 * @throws {FetchRefused}
 * @throws {StorageUnavailable} if the disk or the quota is full
 */
export const fetchInPieces = async (
  wanted: WantedFile,
  folder: DiskFolder,
  onBytes: (received: number) => void,
  signal: AbortSignal,
): Promise<File> => {
  const stored = piecesIn(folder, wanted);
  let pieces = await stored.read();
  if (sizeOf(pieces) < wanted.bytes) {
    const response = await ask(wanted.url, sizeOf(pieces), signal);
    if (response.status !== PARTIAL) {
      await stored.remove(pieces.length);
      pieces = [];
    }
    const first = { index: pieces.length, received: sizeOf(pieces) };
    await storeBody(response.body!, first, wanted, { write: stored.write, onBytes }).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        throw cause instanceof TypeError ? new FetchRefused('unreachable', { cause }) : cause;
      },
    );
    pieces = await stored.read();
  }
  const file = new File(pieces, `${wanted.id}.onnx`);
  const isWhole =
    file.size === wanted.bytes &&
    (await basicSystem.sha256(new Uint8Array(await file.arrayBuffer()))) === wanted.sha256;
  if (isWhole) return file;
  // A part of the right file is kept, to be resumed.
  if (file.size < wanted.bytes) throw new FetchRefused('unreachable');
  await stored.remove(pieces.length);
  throw new FetchRefused('other-file');
};
