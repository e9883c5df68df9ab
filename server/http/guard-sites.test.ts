import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApiRequest } from '#shared/api/http/http';
import { createFakeLog } from '#shared/testing/fake-system';
import { createTokenAccess } from '../adapters/access';
import { createApp } from '../app';
import type { Config } from '../cli/config';
import { PROBES } from './serve-probes';
import { CONNECTION_LIMITS } from './connection-limits';
import { fakeSites } from '../testing/fake-sites';
import { fakeWatch } from '../testing/fake-watch';
import { temporaryFolder } from '../testing/temporary-folder';

/** A server at a real port, what reached its API, and how to send it bytes as they are. */
const open = async (changes: Partial<Config> = {}) => {
  const webFolder = temporaryFolder();
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>Page</title>');
  writeFileSync(join(webFolder, 'assets/a.js'), '"code"');
  const reached: ApiRequest[] = [];
  const received: string[] = [];
  const app = await createApp({
    api: {
      answer: async (request) => {
        reached.push(request);
        if (request.method === 'POST') await request.receiveUpload({ withDigest: false });
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: new Uint8Array([111, 107]) };
      },
      receiveUpload: async ({ url }) => {
        received.push(url ?? '');
        return [];
      },
    },
    web: { page: webFolder, models: webFolder },
    log: createFakeLog(),
    watch: fakeWatch(
      changes.token === undefined
        ? {}
        : { access: createTokenAccess([{ token: changes.token, scopes: ['all'] }]) },
    ),
    sites: fakeSites(changes),
    connections: CONNECTION_LIMITS,
  });
  onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const send = async (...lines: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    await once(socket, 'close');
    return answer;
  };
  const statusOf = async (...lines: readonly string[]): Promise<number> =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await send(...lines))?.[1]);
  return { app, port, reached, received, send, statusOf };
};

describe('a server without a token', () => {
  it.each([
    '/',
    '/index.html',
    '/assets/a.js',
    '/docs',
    '/v1/status',
    '/v1/%zz',
    '/nothing',
    ...Object.values(PROBES),
  ])('refuses a foreign Host wherever it asks: %s', async (path) => {
    const { reached, statusOf } = await open();
    for (const host of ['evil.example', 'evil.example:7000']) {
      expect(await statusOf(`GET ${path} HTTP/1.1`, `Host: ${host}`)).toBe(403);
      expect(await statusOf(`HEAD ${path} HTTP/1.1`, `Host: ${host}`)).toBe(403);
    }
    expect(reached).toEqual([]);
  });

  it('says why in the one form of errors, and not to be kept', async () => {
    const { send } = await open();
    const answer = await send('GET / HTTP/1.1', 'Host: evil.example');
    expect(answer).toMatch(/^cache-control: no-store\r$/m);
    expect(answer).toMatch(/^cross-origin-resource-policy: same-origin\r$/m);
    expect(answer).toMatch(/^content-type: application\/json\r$/m);
    expect(answer).toContain('{"detail":"The service does not accept the host name \\"evil.example\\"');
    expect(answer).toContain('--allow-host');
  });

  it('answers at every address of its own', async () => {
    const { port, statusOf } = await open();
    for (const host of [`localhost:${port}`, `LOCALHOST.:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(await statusOf('GET / HTTP/1.1', `Host: ${host}`)).toBe(200);
      expect(await statusOf('GET /v1/status HTTP/1.1', `Host: ${host}`)).toBe(200);
    }
  });

  it('answers HTTP/1.0 without a Host', async () => {
    const { statusOf } = await open();
    expect(await statusOf('GET /healthz HTTP/1.0')).toBe(200);
  });

  it('goes by the address in the request line where there is one', async () => {
    const { reached, statusOf } = await open();
    expect(await statusOf('GET http://evil.example/ HTTP/1.1', 'Host: localhost')).toBe(403);
    expect(await statusOf('GET http://evil.example/v1/status HTTP/1.1', 'Host: localhost')).toBe(403);
    expect(reached).toEqual([]);
    expect(await statusOf('GET http://localhost/ HTTP/1.1', 'Host: localhost')).toBe(200);
  });

  it('reads nothing of a form that another site has a browser send', async () => {
    const { reached, received, send } = await open();
    const answer = await send(
      'POST /v1/file?face=True HTTP/1.1',
      'Host: localhost',
      'Origin: https://evil.example',
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Dest: document',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('--allow-origin');
    expect([reached, received]).toEqual([[], []]);
  });

  it('does not open a WebSocket for another site, nor answers its preflight', async () => {
    const { reached, send, statusOf } = await open();
    const [host, origin] = ['Host: localhost', 'Origin: https://evil.example'];
    expect(await statusOf('GET /v1/status HTTP/1.1', host, origin, 'Upgrade: websocket')).toBe(403);
    const preflight = await send(
      'OPTIONS /v1/task/list HTTP/1.1',
      host,
      origin,
      'Access-Control-Request-Method: DELETE',
    );
    expect(preflight).toMatch(/^HTTP\/1\.1 403 /);
    expect(preflight.toLowerCase()).not.toContain('access-control-');
    expect(reached).toEqual([]);
  });

  it('takes the uploads of its own page, and of clients that are no browsers', async () => {
    const { port, received } = await open();
    const url = `http://127.0.0.1:${port}/v1/file`;
    const body = new FormData();
    body.append('fileobject', new Blob(['x']), 'a.jpg');
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    const headers = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
    expect(received).toHaveLength(2);
  });
});

describe('--allow-origin', () => {
  const APP = 'https://app.example.org';
  const CROSS = { origin: APP, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };

  it('lets a site ask before it sends, and read what it gets, without credentials', async () => {
    const { app, reached } = await open({ allowOrigins: [APP] });
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/v1/task/list',
      headers: { ...CROSS, 'access-control-request-method': 'DELETE' },
    });
    expect([preflight.statusCode, preflight.body]).toEqual([204, '']);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': expect.stringContaining('DELETE') as unknown,
      'access-control-allow-headers': expect.stringContaining('Idempotency-Key') as unknown,
      vary: 'Origin',
    });
    expect(reached).toEqual([]);
    const answer = await app.inject({ url: '/v1/status', headers: CROSS });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringContaining('Content-Disposition') as unknown,
    });
    for (const { headers } of [preflight, answer]) {
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('sends other sites and other clients no such header, and `Vary` for caches', async () => {
    const { app } = await open({ allowOrigins: [APP] });
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await app.inject({ url: '/v1/status', headers });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers.vary).toBe('Origin');
    }
  });

  it('lets no site ask by a name that is not the server', async () => {
    const { app, reached } = await open({ allowOrigins: [APP] });
    const headers = { ...CROSS, host: 'evil.example', 'access-control-request-method': 'POST' };
    expect((await app.inject({ method: 'OPTIONS', url: '/v1/file', headers })).statusCode).toBe(403);
    expect(reached).toEqual([]);
  });

  it('leaves an OPTIONS that is no question of a browser to the API', async () => {
    const { app, reached } = await open({ allowOrigins: [APP] });
    for (const headers of [{}, CROSS]) await app.inject({ method: 'OPTIONS', url: '/v1/file', headers });
    expect(reached.map(({ method }) => method)).toEqual(['OPTIONS', 'OPTIONS']);
  });

  it('keeps what else an answer depends on', async () => {
    const { app } = await open({ allowOrigins: [APP] });
    const { headers } = await app.inject({ url: '/assets/a.js', headers: { 'accept-encoding': 'br' } });
    expect(headers.vary).toMatch(/^((accept-encoding, )?Origin|Origin, accept-encoding)$/);
  });

  it('holds with a token as well, whose preflights bring none', async () => {
    const { app } = await open({ allowOrigins: [APP], token: 't' });
    const headers = { ...CROSS, 'access-control-request-method': 'POST' };
    const { statusCode } = await app.inject({ method: 'OPTIONS', url: '/v1/file', headers });
    expect(statusCode).toBe(204);
    const foreign = { ...headers, origin: 'https://evil.example' };
    const answer = await app.inject({ method: 'OPTIONS', url: '/v1/file', headers: foreign });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
