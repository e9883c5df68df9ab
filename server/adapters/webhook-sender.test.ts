import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { WebhookOutcome } from '#shared/domain/webhook';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import { createAddressGuard, parseAddressRange } from './address-guard';
import { createWebhookSender, type Resolve, createWebhookSigner, webhookKey } from './webhook-sender';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A receiver that records the requests it gets. */
const receiver = async (answer: RequestListener = (_request, response) => response.end(), host?: string) => {
  const received: Received[] = [];
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push({ request, body: Buffer.concat(chunks).toString() });
        answer(request, response);
      });
  });
  const port = await listen(server, host);
  return { received, port, url: `http://${host ?? '127.0.0.1'}:${port}/hook?a=b` };
};

const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
const LOOPBACK = ['127.0.0.0/8'];

const setUp = ({ allow = LOOPBACK, resolve }: { allow?: string[]; resolve?: Resolve } = {}) => {
  const timer = createFakeTimer();
  const guard = createAddressGuard(allow.map((text) => parseAddressRange(text)!));
  const sender = createWebhookSender({ guard, timer, ...(resolve ? { resolve } : {}) });
  const post = (url: string, headers: Record<string, string> = {}): Promise<WebhookOutcome> =>
    sender.post({ url, headers, body: '{"ä":1}' });
  return { timer, sender, post };
};

describe('a receiver', () => {
  test('gets one POST with body and headers, and its status is the outcome', async () => {
    const { received, url, port } = await receiver((_request, response) => response.writeHead(202).end('ok'));
    const { post, timer } = setUp();
    expect(await post(url, { 'content-type': 'application/json', 'X-Key': 'secret' })).toEqual({
      kind: 'answered',
      status: 202,
    });
    expect(received.length).toBe(1);
    const [{ request, body }] = received as [Received];
    expect([request.method, request.url, body]).toEqual(['POST', '/hook?a=b', '{"ä":1}']);
    expect(request.headers).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': '8',
      'x-key': 'secret',
    });
    expect(timer.delays()).toEqual([]);
  });

  test('may request a delay with Retry-After', async () => {
    const { url } = await receiver((_, response) => response.writeHead(503, { 'retry-after': '7' }).end());
    expect(await setUp().post(url)).toEqual({ kind: 'answered', status: 503, retryAfterMs: 7_000 });
  });

  test.each([301, 302, 303, 307, 308])('that answers %i is not followed', async (status) => {
    const elsewhere = await receiver();
    const { url, received } = await receiver((_request, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(await setUp().post(url)).toEqual({ kind: 'answered', status });
    expect([received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  test('that never answers times out', async () => {
    const { url, received } = await receiver(() => undefined);
    const { post, timer } = setUp();
    const outcome = post(url);
    await expect.poll(() => received.length).toBe(1);
    const closed = once(received[0]!.request.socket, 'close');
    expect(timer.elapse()).toBe(10_000);
    expect(await outcome).toEqual({ kind: 'timed-out' });
    await closed;
  });

  test('whose response never ends counts as answered, and is disconnected after the time limit', async () => {
    const { url, received } = await receiver((_request, response) => response.writeHead(200).write('…'));
    const { post, timer } = setUp();
    const outcome = post(url);
    await expect.poll(() => received.length).toBe(1);
    const { socket } = received[0]!.request;
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    const closed = once(socket, 'close');
    // The bytes are in the kernel; the client in this process reads them within some turns of the event loop.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    timer.elapse();
    await closed;
    expect(await outcome).toEqual({ kind: 'answered', status: 200 });
  });

  test('that sends an endless body is disconnected early', async () => {
    const endless = function* () {
      for (;;) yield Buffer.alloc(16 * 1024);
    };
    const { url, received } = await receiver((_request, response) =>
      Readable.from(endless())
        .on('error', () => undefined)
        .pipe(response),
    );
    expect(await setUp().post(url)).toEqual({ kind: 'answered', status: 200 });
    await expect.poll(() => received[0]!.request.socket.destroyed).toBe(true);
  });

  test.each([
    ['speaks no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'X-Long: '.padEnd(20_000, 'x')}\r\n`],
    ['closes at once', ''],
    ['closes within its headers', 'HTTP/1.1 200 OK\r\nContent-'],
  ])('that %s counts as unreachable', async (_rule, bytes) => {
    const port = await listen(createTcpServer((socket) => socket.end(bytes)));
    expect(await setUp().post(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'unreachable' });
  });

  test('that does not exist counts as unreachable', async () => {
    const port = await listen(createTcpServer());
    for (const close of closers.splice(0)) close();
    expect(await setUp().post(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'unreachable' });
  });
});

describe('a host name', () => {
  test('is resolved once, and is sent in the header Host', async () => {
    const { received, port } = await receiver();
    const asked: string[] = [];
    const resolve: Resolve = async (name) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const { post } = setUp({ resolve });
    expect(await post(`http://receiver.example:${port}/`)).toEqual({ kind: 'answered', status: 200 });
    expect(asked).toEqual(['receiver.example']);
    expect(received[0]!.request.headers.host).toBe(`receiver.example:${port}`);
  });

  test('that changes its address between check and call (DNS rebinding) cannot redirect the call', async () => {
    const open = await receiver(undefined, '127.0.0.2');
    const secret = createHttpServer();
    let reached = 0;
    secret.on('connection', () => (reached += 1)).listen(open.port, '127.0.0.1');
    closers.push(() => secret.close());
    await once(secret, 'listening');

    const answers = ['127.0.0.2', '127.0.0.1'];
    const resolve: Resolve = async () => [{ address: answers.shift()!, family: 4 }];
    const { post } = setUp({ allow: ['127.0.0.2/32'], resolve });
    const url = `http://rebinding.example:${open.port}/`;
    expect(await post(url)).toEqual({ kind: 'answered', status: 200 });
    expect(answers).toEqual(['127.0.0.1']);
    expect(await post(url)).toEqual({ kind: 'refused' });
    expect([open.received.length, reached]).toEqual([1, 0]);
  });

  test('with one closed address is refused', async () => {
    const { received, port } = await receiver();
    const { post } = setUp({ resolve: resolveTo('127.0.0.1', '10.0.0.1') });
    expect(await post(`http://receiver.example:${port}/`)).toEqual({ kind: 'refused' });
    expect(received).toEqual([]);
  });

  test('is called at its next address if the first one fails', async () => {
    const { received, port } = await receiver();
    const { post } = setUp({ resolve: resolveTo('127.0.0.9', '127.0.0.1') });
    expect(await post(`http://receiver.example:${port}/`)).toEqual({ kind: 'answered', status: 200 });
    expect(received.length).toBe(1);
  });

  test('that is unknown or has no address counts as unreachable', async () => {
    const unknown: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await setUp({ resolve: unknown }).post('http://nowhere.example/')).toEqual({
      kind: 'unreachable',
    });
    expect(await setUp({ resolve: resolveTo() }).post('http://empty.example/')).toEqual({
      kind: 'unreachable',
    });
  });

  test('whose lookup hangs times out', async () => {
    const { post, timer } = setUp({ resolve: () => new Promise(() => undefined) });
    const outcome = post('http://slow.example/');
    timer.elapse();
    expect(await outcome).toEqual({ kind: 'timed-out' });
  });

  test('is checked by its addresses, so that localhost is refused unless it is allowed', async () => {
    const { received, port } = await receiver();
    for (const name of ['localhost', 'LOCALHOST']) {
      expect(await setUp({ allow: [] }).post(`http://${name}:${port}/`)).toEqual({ kind: 'refused' });
    }
    expect(received).toEqual([]);
  });
});

describe('over TLS', () => {
  test('the host name is sent (SNI), and a receiver without its certificate counts as unreachable', async () => {
    const asked: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        asked.push(name);
        done(null);
      },
    });
    server.on('tlsClientError', () => undefined);
    const port = await listen(server);
    const { post } = setUp({ resolve: resolveTo('127.0.0.1') });
    expect(await post(`https://receiver.example:${port}/`)).toEqual({ kind: 'unreachable' });
    expect(asked).toEqual(['receiver.example']);
  });

  test('a closed address is refused as well', async () => {
    const { post } = setUp({ allow: [], resolve: resolveTo('10.0.0.1') });
    expect(await post('https://receiver.example/')).toEqual({ kind: 'refused' });
    expect(await post('https://[::1]/')).toEqual({ kind: 'refused' });
  });
});

/** URLs with various spellings of closed addresses. */
const CLOSED_URLS = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0X7F.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0177.0x0.1/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://①②⑦.⓪.0.1/',
  'http://127。0。0。1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1:8080/path',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://2852039166/',
  'http://169.254.169.254/computeMetadata/v1/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://255.255.255.255/',
  'https://224.0.0.1/',
];

describe.each(CLOSED_URLS)('%s', (url) => {
  test('is refused at the upload and at the call', async () => {
    const { sender, post } = setUp({ allow: [] });
    expect(sender.mayCall(new URL(url).href)).toBe(false);
    expect(sender.mayCall(url)).toBe(false);
    expect(await post(url)).toEqual({ kind: 'refused' });
  });
});

test('host names and public addresses are accepted at the upload', () => {
  const { sender } = setUp({ allow: [] });
  for (const url of ['http://receiver.example/', 'https://8.8.8.8:8443/', 'http://[2606:4700::1111]/']) {
    expect(sender.mayCall(url)).toBe(true);
  }
});

describe('a secret', () => {
  const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
  const SECRET = `whsec_${KEY.toString('base64')}`;

  test('signs with HMAC-SHA256 and the decoded key, as in Standard Webhooks', () => {
    const text = 'msg_1.1700000000.{"ä":1}';
    const expected = createHmac('sha256', KEY).update(text).digest('base64');
    expect(createWebhookSigner(webhookKey(SECRET)!).sign(text)).toBe(expected);
  });

  test('gives the signature of the published example of Standard Webhooks', () => {
    const key = webhookKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')!;
    const text = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(createWebhookSigner(key).sign(text)).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test.each([
    '',
    'whsec_',
    'secret',
    `whsec_${'A'.repeat(8)}`,
    `whsec_${'A'.repeat(100)}`,
    'whsec_ä==',
    KEY.toString('base64'),
  ])('of another form is refused: %j', (secret) => expect(webhookKey(secret)).toBeUndefined());
});
