import { mkdirSync, writeFileSync, createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openApp } from '../testing/open-app';
import { temporaryFolder } from '../testing/temporary-folder';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { serveUnpacked } from './serve-web';

/** More than the buffers between server and client hold. */
const SCRIPT_BYTES = 64 * 1024 * 1024;

/** Serves one large script that lies there only compressed. @returns its address and the files that were opened */
const serve = async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'assets/large.js.br');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    path,
    brotliCompressSync(Buffer.alloc(SCRIPT_BYTES), { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }),
  );
  const files: Readable[] = [];
  const app = Fastify();
  onTestFinished(() => app.close());
  serveUnpacked(
    app,
    folder,
    () => ({}),
    (each) => {
      const file = createReadStream(each, { highWaterMark: 16 }); // so that it is read in many pieces
      files.push(file);
      return file;
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/assets/large.js`, files, path };
};

it('an aborted download of a compressed script closes its file', async () => {
  const { url, files } = await serve();
  const request = get(url, { agent: false });
  await once(request, 'response');
  const closed = new Promise((resolve) => files[0]!.once('close', resolve));
  request.destroy();
  await closed;
  expect(files.map(({ destroyed }) => destroyed)).toEqual([true]);
});

it('a compressed script that is gone ends its download, and the server answers on', async () => {
  const { url, path } = await serve();
  rmSync(path);
  const statusOf = async (): Promise<number | undefined> => {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect([await statusOf(), await statusOf()]).toEqual([500, 500]);
});

let folder: string;

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
});

const open = (page = folder): Promise<FastifyInstance> =>
  openApp({ page, models: join(folder, 'own-models') }, async () => ({
    status: 418,
    headers: {},
    body: new Uint8Array(),
  }));

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

  it('lets only the worker that downloads models connect elsewhere, to their hub', async () => {
    writeFileSync(join(folder, 'assets/fetch-models-abc123.js'), 'code');
    const app = await open();
    const policyOf = async (url: string): Promise<string> =>
      String((await app.inject(url)).headers['content-security-policy']);
    expect(await policyOf('/assets/fetch-models-abc123.js?v=1')).toBe(
      "default-src 'none'; script-src 'self'; connect-src https://huggingface.co/AnnotateIt/ https://*.hf.co",
    );
    for (const url of [
      '/index.html?/assets/fetch-models-abc123.js',
      '/models/a.onnx?assets/fetch-models-a.js',
    ]) {
      expect(await policyOf(url)).toContain("connect-src 'self'");
    }
  });

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

  it('has scripts of which only the compressed copy is there', async () => {
    writeFileSync(join(folder, 'assets/other-abc123.js.br'), brotliCompressSync('const one = 1;'));
    const { body, headers } = await (await open()).inject('/assets/other-abc123.js');
    expect([body, headers['content-type']]).toEqual([
      'const one = 1;',
      'application/javascript; charset=utf-8',
    ]);
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
    expect([statusCode, body]).toEqual([418, '']);
  });

  it('may be missing: the API answers all the same', async () => {
    const app = await open(join(folder, 'not-built'));
    expect((await app.inject('/')).statusCode).toBe(418);
    expect((await app.inject('/v1/status')).statusCode).toBe(418);
  });
});
