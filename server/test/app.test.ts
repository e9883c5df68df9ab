import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ApiRequest, ApiResponse } from '#shared/api/http';
import { LIMITS } from '#shared/api/limits';
import { createFakeLog } from '#shared/testing/fake-system';
import { addressOf, createApp } from '../app';
import { fakeSites } from './fake-sites';
import { fakeWatch } from './fake-watch';
import { temporaryFolder } from './temporary-folder';

const BODY = new TextEncoder().encode('{"answered":true}');
const ANSWER: ApiResponse = {
  status: 418,
  headers: { 'content-type': 'application/json', 'x-veil': 'yes' },
  body: BODY,
};

/** More than the buffers between server and client hold. */
const PIECES = 200;
const PIECE_BYTES = 100_000;
const streamed = (body: AsyncIterable<Uint8Array>): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'video/mp4', 'content-length': String(PIECES * PIECE_BYTES) },
  body,
});

let folder: string;
let requests: ApiRequest[];
let answer: (request: ApiRequest) => Promise<ApiResponse>;

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'models'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  writeFileSync(join(folder, 'docs.html'), '<!doctype html><title>Reference</title>');
  writeFileSync(join(folder, 'assets/index-abc123.js'), '"code"');
  writeFileSync(join(folder, 'models/a.onnx'), 'model');
  mkdirSync(join(folder, 'own-models/train'), { recursive: true });
  writeFileSync(join(folder, 'own-models/a.onnx'), 'own model of that name');
  writeFileSync(join(folder, 'own-models/b.onnx'), 'own model');
  writeFileSync(join(folder, 'own-models/NOTICE.md'), 'notice');
  writeFileSync(join(folder, 'own-models/train/c.onnx'), 'checkpoint');
  writeFileSync(join(folder, '.env'), 'secret');
  requests = [];
  answer = async (request) => {
    requests.push(request);
    return ANSWER;
  };
});

const open = async (page = folder): Promise<FastifyInstance> => {
  const api = { answer: (request: ApiRequest) => answer(request), receiveUpload: async () => [] };
  const app = await createApp({
    api,
    web: { page, models: join(folder, 'own-models') },
    log: createFakeLog(),
    watch: fakeWatch(),
    sites: fakeSites(),
  });
  onTestFinished(() => app.close());
  return app;
};
const listen = async (): Promise<{ app: FastifyInstance; port: number }> => {
  const app = await open();
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
};
/** Sends bytes as they are and gives what comes back until the connection closes. */
const exchange = async (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.end(text);
  await once(socket, 'close');
  return received;
};

describe('the page', () => {
  it('is served from the folder that it was built to', async () => {
    const { statusCode, body, headers } = await (await open()).inject('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>Page');
  });

  it('has the API reference at /docs, and nowhere else', async () => {
    const app = await open();
    const { statusCode, body, headers } = await app.inject('/docs');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>Reference');
    const withSlash = await app.inject('/docs/');
    expect([withSlash.statusCode, withSlash.headers.location]).toEqual([302, '/docs']);
    expect((await app.inject('/docs/x')).statusCode).toBe(418);
  });

  it.each(['/', '/index.html', '/docs', '/assets/index-abc123.js', '/models/a.onnx'])(
    'is isolated and may talk to no other site: %s',
    async (url) => {
      const { headers } = await (await open()).inject(url);
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toMatch(/https?:|\*|unsafe-inline|'unsafe-eval'/);
    },
  );

  it.each([
    ['/', 'no-cache'],
    ['/docs', 'no-cache'],
    ['/models/a.onnx', 'no-cache'],
    ['/models/a.onnx?sha256=0123', 'public, max-age=31536000, immutable'],
    ['/assets/index-abc123.js', 'public, max-age=31536000, immutable'],
  ])('is kept by browsers only where its address changes with its content: %s', async (url, cache) => {
    expect((await (await open()).inject(url)).headers['cache-control']).toBe(cache);
  });

  it.each([
    ['br, gzip', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzipped'],
    ['', undefined, '"code"'],
  ])('is sent compressed to who takes that: %s', async (accepted, encoding, sent) => {
    writeFileSync(join(folder, 'assets/index-abc123.js.br'), 'brotli');
    writeFileSync(join(folder, 'assets/index-abc123.js.gz'), 'gzipped');
    const url = '/assets/index-abc123.js';
    const { body, headers } = await (await open()).inject({ url, headers: { 'accept-encoding': accepted } });
    expect([headers['content-encoding'], body]).toEqual([encoding, sent]);
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
  });

  it.each([
    ['br, gzip', 'br'],
    ['br;q=0.5', 'br'],
    ['br;q=0, gzip', undefined],
    ['gzip', undefined],
    ['', undefined],
  ])('is sent to everybody where only its compressed copy is there: %s', async (accepted, encoding) => {
    const module = Buffer.from('a runtime of many bytes');
    const packed = brotliCompressSync(module);
    writeFileSync(join(folder, 'assets/runtime-abc123.wasm.br'), packed);
    const app = await open();
    const request = { url: '/assets/runtime-abc123.wasm', headers: { 'accept-encoding': accepted } };
    const { rawPayload, headers } = await app.inject(request);
    expect(headers['content-encoding']).toBe(encoding);
    expect(rawPayload).toEqual(encoding ? packed : module);
    expect(headers).toMatchObject({
      'content-type': 'application/wasm',
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
    const head = await app.inject({ ...request, method: 'HEAD' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it('has the models of the server, but for those that it brings', async () => {
    const app = await open();
    expect((await app.inject('/models/a.onnx?sha256=0123')).body).toBe('model');
    const { body, headers } = await app.inject('/models/b.onnx?sha256=0123');
    expect([body, headers['cache-control']]).toEqual(['own model', 'public, max-age=31536000, immutable']);
    for (const url of ['/models/NOTICE.md', '/models/train/c.onnx', '/models/..%2findex.html', '/models/']) {
      expect((await app.inject(url)).statusCode, url).toBe(418);
    }
  });

  it('is not sent again where it has not changed', async () => {
    const app = await open();
    const { etag } = (await app.inject('/')).headers;
    expect((await app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304);
  });

  it.each([
    '/.env',
    '/%2eenv',
    '/../app.ts',
    '/%2e%2e/app.ts',
    '/..%2fapp.ts',
    '/assets/',
    '/%00',
    '/nothing',
  ])('leaves the API to answer what it has no file for: %s', async (url) => {
    const { statusCode, body } = await (await open()).inject(url);
    expect([statusCode, body]).toEqual([418, '{"answered":true}']);
  });

  it('may be missing: the API answers all the same', async () => {
    const app = await open(join(folder, 'not-built'));
    expect((await app.inject('/')).statusCode).toBe(418);
    expect((await app.inject('/v1/status')).statusCode).toBe(418);
  });
});

describe('a request to the API', () => {
  it('is handed over as it was sent', async () => {
    const url = '/v1/file?face=True&license_plate=%46&x=%zz&y=a+b';
    await (await open()).inject({ method: 'POST', url, headers: { 'X-Is-Async': 'TRUE' }, payload: 'x' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url, headers: { 'x-is-async': 'TRUE' } });
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const)(
    'is handed over whatever its method: %s',
    async (method) => {
      const { statusCode } = await (await open()).inject({ method, url: '/v1/task/list' });
      expect([statusCode, requests[0]?.method]).toEqual([418, method]);
    },
  );

  it.each(['/v1/%zz', '/v1/%', '/v1', '/v1/', '/v1//', '/v1/../v1/x', `/v1/${'a'.repeat(5_000)}`])(
    'is handed over whatever its path: %s',
    async (url) => {
      expect((await (await open()).inject(url)).statusCode).toBe(418);
      expect(requests).toHaveLength(1);
    },
  );

  it.each(['application/json', 'text/plain', ';', 'not a type', 'multipart/form-data; boundary=', undefined])(
    'is handed over unread, whatever its body calls itself: %s',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const app = await open();
      const { statusCode } = await app.inject({ method: 'DELETE', url: '/v1/x', headers, payload: '{"a":' });
      expect(statusCode).toBe(418);
    },
  );

  it('gets the answer as it is', async () => {
    const { body, headers } = await (await open()).inject('/v1/status');
    expect(body).toBe('{"answered":true}');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '17',
      'x-veil': 'yes',
    });
  });

  it('gets a file in pieces, none before there is room for it', async () => {
    let made = 0;
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      for (; made < PIECES; made += 1) yield new Uint8Array(PIECE_BYTES).fill(made);
    };
    answer = async () => streamed(pieces());
    const { port } = await listen();
    const request = httpRequest({ port, path: '/v1/x', agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['content-length']).toBe(String(PIECES * PIECE_BYTES));
    // Nobody reads yet: what is not in the buffers of both ends has not been made.
    await once(response, 'readable');
    expect(made).toBeLessThan(PIECES);
    let received = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      expect(chunk.every((byte, index) => byte === Math.trunc((received + index) / PIECE_BYTES))).toBe(true);
      received += chunk.length;
    }
    expect(received).toBe(PIECES * PIECE_BYTES);
  });

  it('ends the reading of a file when its client goes away', async () => {
    const ended = new Promise<void>((resolve) => {
      const pieces = async function* (): AsyncIterable<Uint8Array> {
        try {
          for (;;) yield new Uint8Array(PIECE_BYTES);
        } finally {
          resolve();
        }
      };
      answer = async () => streamed(pieces());
    });
    const { port } = await listen();
    const request = httpRequest({ port, path: '/v1/x', agent: false }).end();
    await once(request, 'response');
    request.destroy();
    await ended;
  });

  it('sees by its length that a file broke off', async () => {
    answer = async () =>
      streamed(
        (async function* () {
          yield new Uint8Array(PIECE_BYTES);
          throw new Error('The disk is gone.');
        })(),
      );
    const { port } = await listen();
    const request = httpRequest({ port, path: '/v1/x', agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await expect(async () => {
      for await (const chunk of response) void chunk;
    }).rejects.toThrow('aborted');
  });

  it('may be as long as its longest parameter', async () => {
    const { port } = await listen();
    const url = `/v1/file?ignores=${'%5b'.repeat(LIMITS.maxJsonParameterChars)}`;
    const answered = await fetch(`http://127.0.0.1:${port}${url}`);
    expect([answered.status, requests[0]?.url]).toEqual([418, url]);
  });

  it('is told when its client goes away', async () => {
    const aborted = new Promise<void>((resolve) => {
      answer = ({ signal }) =>
        new Promise(() => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
    const { app, port } = await listen();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(app.server, 'request');
    socket.destroy();
    await aborted;
  });

  it('is answered while its body is still being sent', async () => {
    const { port } = await listen();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('POST /v1/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nsome of it');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 418 /);
    // Still open: a client that is cut off while it sends may never read its answer.
    await new Promise((resolve) => socket.write('and more', resolve));
    expect(socket.readableEnded).toBe(false);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', '400'],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'a'.repeat(400_000)}\r\n\r\n`, '431'],
  ])('gets the one form of errors, too: %s', async (_, text, status) => {
    const { port } = await listen();
    const answered = await exchange(port, text);
    expect(answered).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answered).toContain('{"detail":"The request is not valid HTTP."}');
  });
});

it('the address of a server is one that a browser on this machine can open', async () => {
  const app = await open();
  await app.listen({ host: '0.0.0.0', port: 0 });
  expect(addressOf(app)).toMatch(/^http:\/\/localhost:\d+$/);
});
