import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../testing/open-app';

const OK = { status: 200, headers: { 'content-length': '2' }, body: new TextEncoder().encode('ok') };

/** A server that may have one connection, and that one. */
const occupied = async () => {
  const app = await openApp({ page: '/nowhere', models: '/nowhere' }, async () => OK, { maxConnections: 1 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await Promise.all([once(socket, 'connect'), once(app.server, 'connection')]);
    return socket;
  };
  return { first: await open(), open };
};

const ask = async (socket: Socket, request: string): Promise<string> => {
  socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\n`);
  socket.write('\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return String(answer);
};

it('a request on a connection beyond the limit is refused with a sentence, and the connection ends', async () => {
  const { open } = await occupied();
  const second = await open();
  const closed = once(second, 'close');
  const answer = await ask(second, 'GET /v1/status');
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toContain('"The service has as many connections as it may have: try again in a moment."');
  expect(answer).toMatch(/^retry-after: 5\r$/m);
  await closed;
});

it('clients that have a connection are served on', async () => {
  const { first, open } = await occupied();
  await open();
  expect(await ask(first, 'GET /v1/status')).toMatch(/^HTTP\/1.1 200 /);
});

it('a connection that ends makes room for another', async () => {
  const { first, open } = await occupied();
  first.destroy();
  await expect
    .poll(async () => {
      const next = await open();
      const answer = await ask(next, 'GET /v1/status');
      next.destroy();
      return answer;
    })
    .toMatch(/^HTTP\/1.1 200 /);
});

it('probes are answered beyond the limit', async () => {
  const { open } = await occupied();
  const second = await open();
  expect(await ask(second, 'GET /healthz')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask(second, 'GET /metrics')).toMatch(/^HTTP\/1.1 503 /);
});

it('a client whose upload is refused can still send it while it reads why', async () => {
  const { open } = await occupied();
  const second = await open();
  const answer = await ask(second, 'POST /v1/file HTTP/1.1\r\nContent-Length: 100000\r\nX-Rest:');
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  await new Promise((resolve) => second.write('x'.repeat(50_000), resolve));
  expect(second.readableEnded).toBe(false);
});
