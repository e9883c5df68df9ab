import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pack } from '#shared/engine/packs/packs';
import { installing } from './test/installing';
import { packOf, vehicleModel } from './test/tiny-models';

const MODEL = vehicleModel();
const { write, add, expectRefusal } = installing();

let server: Server | undefined;
let asked: IncomingMessage[];
/** Called when the client has received some bytes. */
let onTaken: (() => void) | undefined;
beforeEach(() => {
  asked = [];
  onTaken = undefined;
});
afterEach(() => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** @returns the address of a server on this machine */
const serve = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const opened = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
};
const addAt = async (url: string): Promise<Pack> =>
  add(await write('pack.json', packOf(MODEL, { source: { url } })), undefined, () => onTaken?.());

describe('a download', () => {
  it('of a description includes the model at its relative address', async () => {
    const address = await serve((request, response) => {
      response.end(
        request.url === '/a/pack.json' ? JSON.stringify(packOf(MODEL, { source: { url: 'm.onnx' } })) : MODEL,
      );
    });
    await add(`${address}/a/pack.json`);
    expect(asked.map(({ url }) => url)).toEqual(['/a/pack.json', '/a/m.onnx']);
  });

  it('that was interrupted is resumed', async () => {
    const address = await serve(({ headers }, response) => {
      if (headers.range === undefined) {
        response.setHeader('content-length', MODEL.length);
        onTaken = () => response.destroy();
        response.write(MODEL.subarray(0, 100));
        return;
      }
      const from = Number(/bytes=(\d+)-/.exec(headers.range)?.[1]);
      response.writeHead(206, { 'content-range': `bytes ${from}-${MODEL.length - 1}/${MODEL.length}` });
      response.end(MODEL.subarray(from));
    });
    await expectRefusal(addAt(`${address}/m.onnx`), /was interrupted/);
    await addAt(`${address}/m.onnx`);
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100-']);
  });

  it('starts from the beginning if the server does not support ranges', async () => {
    let tries = 0;
    const address = await serve((_request, response) => {
      response.setHeader('content-length', MODEL.length);
      onTaken = tries === 0 ? () => response.destroy() : undefined;
      if (tries++ === 0) response.write(MODEL.subarray(0, 100));
      else response.end(MODEL);
    });
    await expectRefusal(addAt(`${address}/m.onnx`), /was interrupted/);
    await addAt(`${address}/m.onnx`);
    expect(tries).toBe(2);
  });

  it('uses the proxy of the environment variables', async () => {
    const address = await serve((_request, response) => response.end(MODEL));
    const tunnels: (string | undefined)[] = [];
    server?.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
      tunnels.push(url);
      const onwards = connect(Number(new URL(address).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onwards).pipe(socket);
      });
    });
    vi.stubEnv('http_proxy', address);
    vi.stubEnv('no_proxy', '');
    await addAt('http://localhost:1/m.onnx');
    expect(tunnels).toEqual(['localhost:1']);
    expect(asked.map(({ url }) => url)).toEqual(['/m.onnx']);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'another file of the same length',
      (response) => response.end(MODEL.map((byte) => byte ^ 1)),
      /does not match/,
    ],
    ['a shorter file', (response) => response.end(MODEL.subarray(1)), /does not match/],
    ['a longer file', (response) => response.end(Buffer.concat([MODEL, MODEL])), /bytes instead of/],
    ['a file without end', (response) => void (response.write(MODEL), response.write(MODEL)), /longer than/],
    ['an error', (response) => response.writeHead(404).end(), /status 404/],
    [
      'a redirection to a file',
      (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /not loaded/,
    ],
    [
      'a redirection to plain http',
      (response) => response.writeHead(302, { location: 'http://example.org/' }).end(),
      /https/,
    ],
    [
      'redirections without end',
      (response) => response.writeHead(302, { location: '/m.onnx' }).end(),
      /more than 5 times/,
    ],
  ])('of %s is refused', async (_name, answer, sentence) => {
    const address = await serve((_request, response) => answer(response));
    await expectRefusal(addAt(`${address}/m.onnx`), sentence);
  });

  it.each([
    'http://example.org/m.onnx',
    'ftp://example.org/m.onnx',
    'file:///etc/passwd',
    'https://u:p@example.org/m',
  ])('from %s is refused', async (url) => {
    await expectRefusal(addAt(url), /https|password/);
  });
});
