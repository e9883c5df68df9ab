import { once } from 'node:events';
import fs, { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#shared/api/contract/errors';
import type { UploadPart } from '#shared/api/http/http';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import { digestPieces } from '#shared/tasks/base/digest';
import { system } from '../adapters/system';
import { receiveUpload, type ReceivingOptions } from './receive-upload';
import { openReceivingFolder, openSharedReceivingFolder } from './receiving-folder';
import { temporaryFolder } from '../testing/temporary-folder';

const MAX_UPLOAD_BYTES = 1_000_000;
const TYPE = 'multipart/form-data; boundary=b';
const PART = '--b\r\nContent-Disposition: form-data; name="fileobject"; filename="a.jpg"\r\n';
const END = '\r\n--b--\r\n';

type Outcome = readonly UploadPart[] | unknown;
type Done = (error: Error | null, descriptor: number) => void;

let server: Server;
let options: ReceivingOptions;
let withDigest: boolean;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  withDigest = false;
  const folders = { input: folder, output: join(folder, 'out') };
  options = {
    receiving: await openReceivingFolder(folders),
    maxUploadBytes: MAX_UPLOAD_BYTES,
    pace: { uploadIdleMs: 10_000, uploadMinBytesPerS: 1 },
  };
  server = createServer();
  server.on('request', (request, response) => {
    void receiveUpload(request, { ...options, withDigest })
      .catch((error: unknown) => error)
      .then((received) => {
        server.emit('outcome', received);
        response.end('answered');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const connectToServer = (): Socket =>
  connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);

/** What becomes of the next request. */
const nextOutcome = async (): Promise<Outcome> => ((await once(server, 'outcome')) as [Outcome])[0];

const filesLeft = (): string[] => readdirSync(join(folder, '.receiving'));

/** Sends a request whose length is that of its body, unless `headers` say otherwise. */
const send = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Socket => {
  const all = {
    Host: 'x',
    'Content-Type': TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connectToServer();
  socket.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body);
  return socket;
};

const receive = async (
  body: string | Buffer,
  headers?: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const outcome = nextOutcome();
  send(body, headers);
  return outcome;
};
const expectParts = (outcome: Outcome): readonly UploadPart[] => {
  if (!Array.isArray(outcome)) throw outcome;
  return outcome as readonly UploadPart[];
};
/** Refused with this code, and nothing of it is left on disk. */
const expectRefused = (outcome: Outcome, code: string): void => {
  expect(outcome).toBeInstanceOf(ApiError);
  expect((outcome as ApiError).code).toBe(code);
  expect(filesLeft()).toEqual([]);
};

describe('an upload', () => {
  it('is received byte for byte, across chunks and with boundary-like bytes inside', async () => {
    const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256));
    const file = Buffer.concat([noise, Buffer.from('\r\n--x\r\n\r\n--'), noise]);
    const body = Buffer.concat([
      Buffer.from(`${PART}Content-Type: image/jpg\r\nExpires: 0\r\n\r\n`),
      file,
      Buffer.from(END),
    ]);
    const [part] = expectParts(await receive(body));
    expect(part).toMatchObject({ name: 'fileobject', filename: 'a.jpg', contentType: 'image/jpg' });
    expect(part!.file.sizeBytes).toBe(file.length);
    expect(Buffer.compare(Buffer.from(await part!.file.source.read(0, file.length)), file)).toBe(0);
  });

  it('has its first bytes and its digest without being read', async () => {
    withDigest = true;
    const file = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256));
    const [part] = expectParts(
      await receive(Buffer.concat([Buffer.from(`${PART}\r\n`), file, Buffer.from(END)])),
    );
    const { head, digest, source, discard } = part!.file;
    const inParts = {
      sizeBytes: file.length,
      readPart: source.read,
    };
    const expected = await digestPieces(inParts, system);
    await discard();
    expect(Buffer.compare(await head(), file.subarray(0, HEAD_BYTES))).toBe(0);
    expect(await digest()).toBe(expected);
  });

  it('is not hashed where nobody asked for it', async () => {
    const [part] = expectParts(await receive(`${PART}\r\nhello${END}`));
    expect(await part!.file.head()).toEqual(new TextEncoder().encode('hello'));
    await expect(part!.file.digest()).rejects.toThrow('without its digest');
  });

  it('is filed under a key, and only there', async () => {
    const [part] = expectParts(await receive(`${PART}\r\nhello${END}`));
    await part!.file.moveTo('input/task/source.jpg');
    expect(readFileSync(join(folder, 'task/source.jpg'), 'utf8')).toBe('hello');
    expect(filesLeft()).toEqual([]);
  });

  it('leaves nothing behind when it is discarded', async () => {
    const [part] = expectParts(await receive(`${PART}\r\nhello${END}`));
    await part!.file.discard();
    await part!.file.discard();
    expect(filesLeft()).toEqual([]);
  });

  it('may be empty, come without a name, and be one of several parts', async () => {
    const field = '\r\n--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nvalue';
    const parts = expectParts(await receive(`${PART}\r\n${field}${END}`));
    expect(parts.map(({ name, filename, file }) => [name, filename, file.sizeBytes])).toEqual([
      ['fileobject', 'a.jpg', 0],
      ['other', null, 5],
    ]);
  });

  it('may have no part at all', async () => {
    expect(expectParts(await receive('--b--\r\n'))).toEqual([]);
  });

  it('keeps no folder of a file name that climbs', async () => {
    const body = PART.replace('a.jpg', '../../etc/cron.d/x');
    expect(expectParts(await receive(`${body}\r\nx${END}`))[0]!.filename).toBe('x');
  });

  it('may be sent in chunks without a length', async () => {
    const socket = connectToServer();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const body = `${PART}\r\nhello${END}`;
    for (const character of body) socket.write(`1\r\n${character}\r\n`);
    socket.write('0\r\n\r\n');
    expect(expectParts(await nextOutcome())[0]!.file.sizeBytes).toBe(5);
  });
});

describe('a body that is no upload is refused', () => {
  it.each([
    ['a JSON body', { 'Content-Type': 'application/json' }],
    ['no type', { 'Content-Type': '' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['no boundary', { 'Content-Type': 'multipart/form-data' }],
    ['another multipart type', { 'Content-Type': 'multipart/mixed; boundary=b' }],
  ])('with %s', async (_, headers) => {
    expectRefused(await receive(`${PART}\r\nx${END}`, headers), 'not_multipart');
  });

  it.each([
    ['that never shows its boundary', 'x'.repeat(5_000)],
    ['whose boundary is another', `${PART}\r\nx${END}`.replaceAll('--b', '--c')],
    ['that ends within its part', `${PART}\r\nxxxxx`],
    ['that ends within a header', `${PART}Content-Type: ima`],
    ['that is empty', ''],
  ])('%s', async (_, body) => {
    expectRefused(await receive(body), 'upload_broken');
  });

  it('and leaves nothing, even if its file is opened after all else was done', async () => {
    const { open } = fs;
    const opened = new Promise<void>((resolve) => {
      const openLate = async (path: string, flags: string, mode: number, done: Done): Promise<void> => {
        // Longer than the removal of a file takes.
        for (let i = 0; i < 50; i++) await stat(folder);
        open(path, flags, mode, (...result) => {
          done(...result);
          resolve();
        });
      };
      vi.spyOn(fs, 'open').mockImplementation(openLate as unknown as typeof open);
    });
    const outcome = await receive(`${PART}\r\nxxxxx`);
    await opened;
    expectRefused(outcome, 'upload_broken');
  });

  it('with more parts than anybody sends', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
    expectRefused(await receive(`${part.repeat(100)}--b--\r\n`), 'upload_broken');
  });

  it('wherever it is cut, and never left waiting', async () => {
    const whole = `${PART}\r\nhello${END}`;
    for (let length = 1; length <= whole.length - END.length; length += 3) {
      expectRefused(await receive(whole.slice(0, length)), 'upload_broken');
    }
  });
});

describe('a body that is too large is refused', () => {
  it('by its length alone, before it is sent', async () => {
    send('', { 'Content-Length': '999999999999' });
    expectRefused(await nextOutcome(), 'upload_too_large');
  });

  it('while it arrives, where it names no length', async () => {
    const socket = connectToServer();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${(PART.length + 2).toString(16)}\r\n${PART}\r\n\r\n`);
    const chunk = 'x'.repeat(100_000);
    for (let i = 0; i < 12; i++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expectRefused(await nextOutcome(), 'upload_too_large');
  });

  it('where its part headers never end', async () => {
    const socket = connectToServer();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `${PART}${'X-Endless: header\r\n'.repeat(5_000)}`;
    for (let i = 0; i < 12; i++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expectRefused(await nextOutcome(), 'upload_too_large');
  });

  it('by one byte', async () => {
    const file = 'x'.repeat(MAX_UPLOAD_BYTES + 1);
    expectRefused(await receive(`${PART}\r\n${file}${END}`), 'upload_too_large');
  });
});

describe('an upload that stops arriving is discarded', () => {
  it('when its client goes away', async () => {
    const outcome = nextOutcome();
    const socket = send(`${PART}\r\n${'x'.repeat(70_000)}`, { 'Content-Length': '500000' });
    await once(server, 'request');
    socket.destroy();
    expectRefused(await outcome, 'upload_broken');
  });

  it('when its client sends nothing more', async () => {
    options = { ...options, pace: { uploadIdleMs: 50, uploadMinBytesPerS: 1 } };
    send(`${PART}\r\nhello`, { 'Content-Length': '500000' });
    expectRefused(await nextOutcome(), 'upload_too_slow');
  });
});

it('a disk that cannot be written to is our fault, not the upload’s', async () => {
  options = { ...options, receiving: { ...options.receiving, newPath: () => join(folder, 'missing/file') } };
  const outcome = await receive(`${PART}\r\nhello${END}`);
  expect(outcome).not.toBeInstanceOf(ApiError);
  expect(outcome).toMatchObject({ code: 'ENOENT' });
});

it('what a crash left half received is removed at the next start, what another process receives is not', async () => {
  const folder = temporaryFolder();
  const folders = { input: folder, output: join(folder, 'out') };
  const first = await openReceivingFolder(folders);
  writeFileSync(first.newPath(), 'left over');
  const other = join(folder, '.receiving', `${process.ppid}-in-work`);
  writeFileSync(other, 'in work');
  await openReceivingFolder(folders);
  expect(readdirSync(join(folder, '.receiving'))).toEqual([`${process.ppid}-in-work`]);
});

it('several hosts remove what was left half received for a day, and nothing younger', async () => {
  const folder = temporaryFolder();
  const folders = { input: folder, output: join(folder, 'out') };
  const [old, young] = [
    await openSharedReceivingFolder(folders),
    await openSharedReceivingFolder(folders),
  ].map((receiving) => receiving.newPath()) as [string, string];
  writeFileSync(old, 'left over');
  writeFileSync(young, 'in work');
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(old, dayAgo, dayAgo);
  await openSharedReceivingFolder(folders);
  expect(readdirSync(join(folder, '.receiving'))).toEqual([basename(young)]);
});
