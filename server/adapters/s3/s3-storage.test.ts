import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bytesOf } from '#shared/api/http/http';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { describeStorage } from '#shared/testing/storage-contract';
import {
  type S3Server,
  LISTED_KEYS,
  startS3Server,
  TEST_BUCKET,
  TEST_CREDENTIALS,
} from '../../testing/s3-server';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { ListedFile } from '../list-files';
import { type S3Location, explainS3 } from './s3-connection';
import { createS3Storage, type S3Storage } from './s3-storage';

const MIB = 1024 * 1024;
const KEY = 'output/a/video.mp4';

let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
  for (const [name, value] of Object.entries(TEST_CREDENTIALS)) vi.stubEnv(name, value);
});
afterEach(() => server.intercept(undefined));
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** A folder of its own in the bucket. */
const newLocation = (): S3Location => ({
  bucket: TEST_BUCKET,
  prefix: `tests/${randomUUID()}/`,
  endpoint: server.endpoint,
  region: undefined,
});

const openStorage = (
  location: S3Location = newLocation(),
  spool = temporaryFolder(),
): S3Storage & { readonly spool: string } => ({
  ...createS3Storage(location, { newPath: () => join(spool, randomUUID()) }),
  spool,
});

describeStorage('storage on S3', async () => openStorage());

const failureOf = async (work: Promise<unknown>): Promise<StorageUnavailable> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageUnavailable);
  return error as StorageUnavailable;
};

describe('storage on S3', () => {
  it('has files below its prefix only, so that two clusters share a bucket', async () => {
    const [one, other] = [openStorage(), openStorage()];
    await one.write(KEY, new Uint8Array([1]));
    expect(await other.read(KEY)).toBeUndefined();
    await other.remove('output/a/');
    expect(await one.read(KEY)).toEqual(new Uint8Array([1]));
  });

  it('leaves no temporary file after a commit and after a discard', async () => {
    const storage = openStorage();
    for (const end of ['discard', 'commit'] as const) {
      const file = await storage.create(KEY);
      await file.write(0, new Uint8Array([1]));
      expect(readdirSync(storage.spool)).toHaveLength(1);
      await file[end]();
      expect(readdirSync(storage.spool)).toEqual([]);
    }
  });

  it.each([
    'output/../secret',
    'output/a/../../secret',
    'output//a',
    'output/',
    'output',
    '',
    'etc/passwd',
    'output/a\\..\\b',
    'output/a\0b',
    'output/.hidden',
    'output/a?uploads',
    'output/a b',
    '__proto__/a',
  ])('refuses the key %j before any request', async (key) => {
    server.intercept(() => {
      throw new Error('A request was sent.');
    });
    const storage = openStorage();
    const bytes = new Uint8Array(0);
    for (const call of [
      storage.write(key, bytes),
      storage.read(key),
      storage.open(key),
      storage.create(key),
    ]) {
      await expect(call).rejects.toThrow(/storage (key|folder)/);
    }
    await expect(storage.remove(`${key}/`)).rejects.toThrow(/storage key|storage folder/);
  });

  it('never removes the files of all tasks', async () => {
    const storage = openStorage();
    for (const prefix of ['', '/', 'output', 'output/', 'input/']) {
      await expect(storage.remove(prefix)).rejects.toThrow(/storage/);
    }
  });

  it('removes more files than S3 lists at once', async () => {
    const storage = openStorage();
    const keys = Array.from({ length: 2 * LISTED_KEYS + 1 }, (_, index) => `output/a/${index}`);
    await Promise.all(keys.map((key) => storage.write(key, new Uint8Array(1))));
    await storage.remove('output/a/');
    const left = await Promise.all(keys.map((key) => storage.read(key)));
    expect(left.filter((bytes) => bytes !== undefined)).toEqual([]);
  });
});

it('files on S3 are listed with size and age, page by page, and no others', async () => {
  const { prefix, ...rest } = newLocation();
  const open = (below: string): S3Storage => {
    const storage = createS3Storage({ ...rest, prefix: prefix + below }, { newPath: () => '' });
    onTestFinished(() => storage.close());
    return storage;
  };
  const storage = open('one/');
  const keys = Array.from({ length: LISTED_KEYS + 1 }, (_, number) => `input/${number}/source.jpg`);
  for (const key of [...keys, 'output/1/result.json']) await storage.write(key, new Uint8Array(3));
  await open('one-more/').write('input/1/source.jpg', new Uint8Array(3));
  const listed: ListedFile[] = [];
  for await (const file of storage.list()) listed.push(file);
  expect(listed.map(({ key }) => key).sort()).toEqual([...keys, 'output/1/result.json'].sort());
  for (const { sizeBytes, modifiedMs } of listed) {
    expect(sizeBytes).toBe(3);
    expect(Math.abs(Date.now() - modifiedMs)).toBeLessThan(60_000);
  }
});

describe('a large file on S3', () => {
  const bytes = randomBytes(20 * MIB);

  it('is written in parts, from memory and from a temporary file, and read in any range', async () => {
    const storage = openStorage();
    await storage.write('output/a/memory', bytes);
    const file = await storage.create('output/a/file');
    await file.write(10 * MIB, bytes.subarray(10 * MIB));
    await file.write(0, bytes.subarray(0, 10 * MIB));
    await file.commit();
    for (const key of ['output/a/memory', 'output/a/file']) {
      const opened = await storage.open(key);
      expect(opened?.sizeBytes).toBe(bytes.byteLength);
      const [start, end] = [3 * MIB + 1, 17 * MIB + 7];
      expect(bytes.subarray(start, end).equals(await bytesOf(opened!.read(start, end)))).toBe(true);
    }
    expect(server.unfinishedUploads()).toEqual([]);
  });

  it('is invisible and leaves no parts if its upload is interrupted', async () => {
    const storage = openStorage();
    server.intercept(({ method }, response, { searchParams }) => {
      if (method !== 'PUT' || searchParams.get('partNumber') !== '2') return false;
      response.writeHead(403).end();
      return true;
    });
    await failureOf(storage.write(KEY, bytes));
    expect(await storage.open(KEY)).toBeUndefined();
    expect(server.unfinishedUploads()).toEqual([]);
  });

  it('leaves no parts of an upload whose process died once its folder is removed', async () => {
    const storage = openStorage();
    const answersNoPart: Parameters<S3Server['intercept']>[0] = ({ method }, response, { searchParams }) => {
      if (method !== 'PUT' && method !== 'DELETE') return false;
      if (!searchParams.has('uploadId')) return false;
      response.writeHead(403).end();
      return true;
    };
    server.intercept(answersNoPart);
    await failureOf(storage.write(KEY, bytes));
    expect(server.unfinishedUploads()).toHaveLength(1);
    server.intercept(undefined);
    await storage.remove('output/b/');
    expect(server.unfinishedUploads()).toHaveLength(1);
    await storage.remove('output/a/');
    expect(server.unfinishedUploads()).toEqual([]);
  });

  it('is read on after a connection broke', async () => {
    const storage = openStorage();
    await storage.write(KEY, bytes.subarray(0, 5 * MIB));
    const opened = await storage.open(KEY);
    let broken = 0;
    server.intercept(({ method }, response) => {
      if (method !== 'GET' || broken === 2) return false;
      broken += 1;
      response.writeHead(206, { 'content-length': 2 * MIB }).write(Buffer.alloc(1000));
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    const read = await bytesOf(opened!.read(0, 5 * MIB));
    expect(broken).toBe(2);
    expect(bytes.subarray(0, 5 * MIB).equals(read)).toBe(true);
  });

  it('cannot be read on after it was removed', async () => {
    const storage = openStorage();
    await storage.write(KEY, bytes);
    const reader = (await storage.open(KEY))!.read(0, bytes.byteLength)[Symbol.asyncIterator]();
    await reader.next();
    await storage.remove(KEY);
    await expect(
      (async () => {
        while (!(await reader.next()).done);
      })(),
    ).rejects.toThrow('removed while it was read');
  });
});

it('200 MB pass through in bounded memory, in both directions', { tags: ['slow'] }, async () => {
  const storage = openStorage();
  const piece = randomBytes(MIB);
  const path = join(storage.spool, 'source');
  for (let at = 0; at < 200; at++) writeFileSync(path, piece, { flag: 'a' });
  const before = process.memoryUsage();
  let peak = 0;
  const sample = (): void => {
    const { arrayBuffers } = process.memoryUsage();
    peak = Math.max(peak, arrayBuffers - before.arrayBuffers);
  };
  const timer = setInterval(sample, 5);
  await storage.writeFile(KEY, path);
  let readBytes = 0;
  for await (const part of (await storage.open(KEY))!.read(0, 200 * MIB)) {
    readBytes += part.byteLength;
    sample();
  }
  clearInterval(timer);
  expect(readBytes).toBe(200 * MIB);
  expect(peak).toBeLessThan(110 * MIB);
});

describe('S3 that fails', () => {
  const call = (location: Partial<S3Location>): Promise<unknown> =>
    openStorage({ ...newLocation(), ...location }).write(KEY, new Uint8Array([1]));

  it('is reported to clients in a sentence without its address', async () => {
    const failure = await failureOf(call({ endpoint: 'http://127.0.0.1:1' }));
    expect(failure.failure).toEqual({
      kind: 'no-storage',
      sentence: 'The service cannot reach its file store: try again later.',
    });
  });

  it('is reported as full if its quota is used up', async () => {
    server.intercept((_request, response) => {
      response.writeHead(507).end();
      return true;
    });
    expect((await failureOf(call({}))).failure.sentence).toContain('no disk space left');
  });

  it.each([
    [
      'an endpoint that nothing listens to',
      { endpoint: 'http://127.0.0.1:1' },
      'S3 cannot be reached (ECONNREFUSED)',
    ],
    ['a host that does not exist', { endpoint: 'http://s3.invalid' }, 'S3 cannot be reached'],
    ['a bucket that does not exist', { bucket: 'nobody' }, 'S3 has no bucket of this name'],
  ])('%s is explained to the operator', async (_case, location, sentence) => {
    expect(explainS3(await failureOf(call(location)))).toContain(sentence);
  });

  it('refused credentials are explained to the operator, without them', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody');
    try {
      const sentence = explainS3(await failureOf(call({})));
      expect(sentence).toContain('S3 refuses the credentials (InvalidAccessKeyId)');
      expect(sentence).not.toContain('nobody');
    } finally {
      vi.stubEnv('AWS_ACCESS_KEY_ID', TEST_CREDENTIALS.AWS_ACCESS_KEY_ID);
    }
  });

  // The test server checks no signatures.
  it('a wrong secret key is explained to the operator', async () => {
    server.intercept((_request, response) => {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      return true;
    });
    expect(explainS3(await failureOf(call({})))).toContain(
      'S3 refuses the credentials (SignatureDoesNotMatch)',
    );
  });
});
