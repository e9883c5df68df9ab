import { once } from 'node:events';
import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { brotliCompressSync, constants } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { serveUnpacked } from './serve-unpacked';

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
