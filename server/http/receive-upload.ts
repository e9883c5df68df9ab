import { setMaxListeners } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { ApiError } from '#shared/api/contract/errors';
import type { ReceiveOptions, UploadPart } from '#shared/api/http/http';
import type { ReceivedFile } from '#shared/ports/storage';
import { asDiskRefusal, onDisk, diskSource } from '../adapters/disk-file';
import { type BodyPace, watchPace } from './connection-limits';
import type { DiskReserve } from './disk-reserve';
import type { ApiMount } from './mount-fastify';
import type { ReceivingFolder } from './receiving-folder';
import { createHash } from 'node:crypto';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import { createRunningDigest } from '#shared/tasks/base/digest';

/** Collects facts about a part while it is written, so that the file need not be read for them. */
interface PartInspection {
  /** Takes the part's next bytes. */
  take(chunk: Uint8Array): void;
  /** Ends it. */
  end(): PartFacts;
}

interface PartFacts {
  /** See `ReceivedFile`. */
  readonly head: Uint8Array;
  /** Of the whole part. */
  readonly sha256: string;
  /** Undefined where it was not asked for. */
  readonly digest: string | undefined;
}

const inspectPart = (withDigest: boolean): PartInspection => {
  const head = new Uint8Array(HEAD_BYTES);
  let headBytes = 0;
  const whole = createHash('sha256');
  const running = withDigest ? createRunningDigest(() => createHash('sha256')) : undefined;
  return {
    take: (chunk) => {
      const start = chunk.subarray(0, head.byteLength - headBytes);
      head.set(start, headBytes);
      headBytes += start.byteLength;
      whole.update(chunk);
      running?.update(chunk);
    },
    end: () => ({
      head: head.subarray(0, headBytes),
      sha256: whole.digest('hex'),
      digest: running?.digest(),
    }),
  };
};

/** A part whose bytes are all on disk. */
interface WrittenPart extends PartFacts {
  /** In the receiving folder. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** An upload's part on disk, not yet filed under a task. */
const receivedFile = (
  { path, sizeBytes, head, sha256, digest }: WrittenPart,
  receiving: Pick<ReceivingFolder, 'moveTo'>,
): ReceivedFile => ({
  sizeBytes,
  sha256,
  head: async () => head,
  digest: async () => {
    if (digest === undefined) throw new Error('An upload was received without its digest.');
    return digest;
  },
  source: diskSource(path, sizeBytes),
  moveTo: (key) => receiving.moveTo(path, key),
  discard: () => onDisk(() => rm(path, { force: true })),
});

export interface ReceivingOptions {
  readonly receiving: ReceivingFolder;
  readonly maxUploadBytes: number;
  readonly pace: BodyPace;
}

/** A part on its way to disk. */
interface Saving {
  readonly path: string;
  readonly saved: Promise<UploadPart>;
}

/** What boundaries and part headers may add to the file. */
const MAX_FRAMING_BYTES = 64 * 1024;
/** More than anybody sends, and few enough to be counted in the answer. */
const MAX_PARTS = 32;
const MAX_PART_HEADERS = 32;
const MAX_PART_HEADER_BYTES = 16 * 1024;

const openParser = ({ headers }: IncomingMessage): BusboyInstance => {
  if (!/^multipart\/form-data/i.test(headers['content-type'] ?? '')) throw new ApiError('not_multipart');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // A field is received like a file, so that dispatch sees all that was sent.
      isPartAFile: () => true,
      limits: { parts: MAX_PARTS, headerPairs: MAX_PART_HEADERS, headerSize: MAX_PART_HEADER_BYTES },
    });
  } catch {
    throw new ApiError('not_multipart');
  }
};

const checkClaimedLength = ({ headers }: IncomingMessage, maxUploadBytes: number): void => {
  if (Number(headers['content-length'] ?? 0) > maxUploadBytes + MAX_FRAMING_BYTES) {
    throw new ApiError('upload_too_large', maxUploadBytes);
  }
};

/**
 * Feeds the body to the parser.
 *
 * The request is never destroyed, whatever happens: the answer goes out on its socket.
 *
 * @param stop ends it before its time
 */
const feed = (
  request: IncomingMessage,
  parser: BusboyInstance,
  { maxUploadBytes, pace }: ReceivingOptions,
  stop: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let receivedBytes = 0;
    const count = (chunk: Buffer): void => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxUploadBytes + MAX_FRAMING_BYTES) {
        settle(new ApiError('upload_too_large', maxUploadBytes));
      }
    };
    const breakOff = (): void => settle(new ApiError('upload_broken'));
    // A request closes after its end, too: the parser may then still have a part to hand on.
    const onClose = (): void => {
      if (!request.complete) breakOff();
    };
    const settle = (error?: unknown): void => {
      endWatch();
      request.unpipe(parser).off('data', count).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error as Error);
    };
    stop.addEventListener('abort', () => settle(stop.reason), { once: true });
    parser
      .on('error', breakOff)
      .on('partsLimit', breakOff)
      .on('finish', () => settle());
    // Without a listener an aborted request would be an uncaught error.
    request.on('error', breakOff).on('close', onClose);
    const endWatch = watchPace(request, pace, settle);
    request.on('data', count).pipe(parser);
  });

/** A pipeline can fail before its file is opened: a file that is removed then would appear afterwards. */
const untilClosed = async (file: WriteStream): Promise<void> => {
  if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
};

const savePart = async (
  stream: BusboyFileStream,
  { path, ...about }: Omit<UploadPart, 'file'> & { readonly path: string },
  { receiving, maxUploadBytes, withDigest }: ReceivingOptions & ReceiveOptions,
  stop: AbortSignal,
): Promise<UploadPart> => {
  const inspection = inspectPart(withDigest);
  stream.on('data', (chunk: Buffer) => inspection.take(chunk));
  // Flushed before it is filed: a task that was accepted survives a power cut.
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(stream, file, { signal: stop });
  } catch (error) {
    await untilClosed(file);
    throw error;
  }
  if (file.bytesWritten > maxUploadBytes) throw new ApiError('upload_too_large', maxUploadBytes);
  const part = { path, sizeBytes: file.bytesWritten, ...inspection.end() };
  return { ...about, file: receivedFile(part, receiving) };
};

const discard = async (savings: readonly Saving[]): Promise<void> => {
  await Promise.allSettled(savings.map(({ saved }) => saved));
  await Promise.all(savings.map(({ path }) => rm(path, { force: true })));
};

/** What the disk refuses is our fault; everything else that is no `ApiError` is a broken body. */
const toPublicError = (error: unknown): unknown =>
  error instanceof ApiError || (error instanceof Error && 'syscall' in error)
    ? asDiskRefusal(error)
    : new ApiError('upload_broken');

/**
 * Receives a multipart body, each part straight to a file: memory stays flat whatever is sent.
 *
 * @throws ApiError `not_multipart`, `upload_too_large`, `upload_broken`, `upload_too_slow`; nothing stays on disk then
 */
export const receiveUpload = async (
  request: IncomingMessage,
  options: ReceivingOptions & ReceiveOptions,
): Promise<readonly UploadPart[]> => {
  const parser = openParser(request);
  checkClaimedLength(request, options.maxUploadBytes);
  const savings: Saving[] = [];
  const stop = new AbortController();
  // Each part listens; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, stop.signal);
  // oxlint-disable-next-line max-params -- the parser calls it
  parser.on('file', (name, stream, filename, _encoding, contentType) => {
    const path = options.receiving.newPath();
    const about = { path, name: name ?? '', filename: filename ?? null, contentType };
    const saved = savePart(stream, about, options, stop.signal);
    saved.catch((error: unknown) => stop.abort(error));
    savings.push({ path, saved });
  });
  try {
    await feed(request, parser, options, stop.signal);
    return await Promise.all(savings.map(({ saved }) => saved));
  } catch (error) {
    stop.abort(error);
    parser.destroy();
    await discard(savings);
    throw toPublicError(error);
  }
};

/**
 * Receives uploads where the disk has room for them.
 *
 * @param options `logsNames`: whether the log contains the names of files
 */
export const createUploadReceiver =
  (
    reserve: DiskReserve,
    { logsNames, ...options }: ReceivingOptions & { readonly logsNames: boolean },
  ): ApiMount['receiveUpload'] =>
  async (request, wanted, log) => {
    const parts = await reserve.receive(request, () => receiveUpload(request, { ...options, ...wanted }));
    for (const { filename, file } of logsNames ? parts : []) {
      log.info('Received a file.', { filename: filename ?? '', bytes: file.sizeBytes });
    }
    return parts;
  };
