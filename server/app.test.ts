import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ApiRequest, ApiResponse } from '#shared/api/http/http';
import { MAX_JSON_CHARS } from '#shared/catalogue/parameters';
import { addressOf } from './app';
import { openApp } from './testing/open-app';
import { temporaryFolder } from './testing/temporary-folder';

const BODY = new TextEncoder().encode('{"answered":true}');
const ANSWER: ApiResponse = {
  status: 418,
  headers: { 'content-type': 'application/json', 'x-veil': 'yes' },
  body: BODY,
};

/** Enough pieces to exceed the buffers between server and client. */
const PIECES = 200;
const PIECE_BYTES = 100_000;
const streamed = (body: AsyncIterable<Uint8Array>): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'video/mp4', 'content-length': String(PIECES * PIECE_BYTES) },
  body,
});

let requests: ApiRequest[];
let answer: (request: ApiRequest) => Promise<ApiResponse>;

beforeEach(() => {
  requests = [];
  answer = async (request) => {
    requests.push(request);
    return ANSWER;
  };
});

const open = (): Promise<FastifyInstance> =>
  openApp({ page: temporaryFolder(), models: temporaryFolder() }, (request) => answer(request));
const listen = async (): Promise<{ app: FastifyInstance; port: number }> => {
  const app = await open();
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
};
/** Sends text over a socket. @returns what the server sends until it closes the connection */
const exchange = async (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.end(text);
  await once(socket, 'close');
  return received;
};
describe('a request to the API', () => {
  it('is passed on unchanged', async () => {
    const url = '/v1/file?face=True&license_plate=%46&x=%zz&y=a+b';
    await (await open()).inject({ method: 'POST', url, headers: { 'X-Is-Async': 'TRUE' }, payload: 'x' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url, headers: { 'x-is-async': 'TRUE' } });
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const)(
    'is passed on with any method: %s',
    async (method) => {
      const { statusCode } = await (await open()).inject({ method, url: '/v1/task/list' });
      expect([statusCode, requests[0]?.method]).toEqual([418, method]);
    },
  );

  it.each(['/v1/%zz', '/v1/%', '/v1', '/v1/', '/v1//', '/v1/../v1/x', `/v1/${'a'.repeat(5_000)}`])(
    'is passed on with any path: %s',
    async (url) => {
      expect((await (await open()).inject(url)).statusCode).toBe(418);
      expect(requests).toHaveLength(1);
    },
  );

  it.each(['application/json', 'text/plain', ';', 'not a type', 'multipart/form-data; boundary=', undefined])(
    'is passed on with an unread body of any content type: %s',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const app = await open();
      const { statusCode } = await app.inject({ method: 'DELETE', url: '/v1/x', headers, payload: '{"a":' });
      expect(statusCode).toBe(418);
    },
  );

  it('gets the unchanged answer of the API', async () => {
    const { body, headers } = await (await open()).inject('/v1/status');
    expect(body).toBe('{"answered":true}');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '17',
      'x-veil': 'yes',
    });
  });

  it('gets a file in pieces, each of which is read only when the buffers have space', async () => {
    let made = 0;
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      for (; made < PIECES; made += 1) yield new Uint8Array(PIECE_BYTES).fill(made);
    };
    answer = async () => streamed(pieces());
    const { port } = await listen();
    const request = httpRequest({ port, path: '/v1/x', agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['content-length']).toBe(String(PIECES * PIECE_BYTES));
    // The client does not read yet, so only the pieces in the buffers of both ends may have been created.
    await once(response, 'readable');
    expect(made).toBeLessThan(PIECES);
    let received = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      expect(chunk.every((byte, index) => byte === Math.trunc((received + index) / PIECE_BYTES))).toBe(true);
      received += chunk.length;
    }
    expect(received).toBe(PIECES * PIECE_BYTES);
  });

  it('stops reading a file when its client disconnects', async () => {
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

  it('is aborted if a file cannot be sent completely', async () => {
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
    const url = `/v1/file?ignores=${'%5b'.repeat(MAX_JSON_CHARS)}`;
    const answered = await fetch(`http://127.0.0.1:${port}${url}`);
    expect([answered.status, requests[0]?.url]).toEqual([418, url]);
  });

  it('aborts its work when the client disconnects', async () => {
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
    // The connection stays open, because a client that is disconnected while it sends may never read the answer.
    await new Promise((resolve) => socket.write('and more', resolve));
    expect(socket.readableEnded).toBe(false);
  });
});

describe('data that is not HTTP', () => {
  it('or whose headers do not arrive within 30 s, gets 408 and a sentence', async () => {
    const { app, port } = await listen();
    expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([30_000, 0]);
    const client = connect(port, '127.0.0.1');
    const [socket] = (await once(app.server, 'connection')) as [Socket];
    const answered = once(client, 'data');
    // As Node does after that time.
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, socket);
    const text = String(((await answered) as [Buffer])[0]);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('{"detail":"The headers of the request did not arrive within 30 s."}');
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', '400'],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'a'.repeat(400_000)}\r\n\r\n`, '431'],
  ])('gets an error in the usual JSON form: %s', async (_, text, status) => {
    const { port } = await listen();
    const answered = await exchange(port, text);
    expect(answered).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answered).toContain('{"detail":"The request is not valid HTTP."}');
  });
});

it('the address of a server can be opened by a browser on this machine', async () => {
  const app = await open();
  await app.listen({ host: '0.0.0.0', port: 0 });
  expect(addressOf(app)).toMatch(/^http:\/\/localhost:\d+$/);
});
