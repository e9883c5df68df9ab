import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { RunningServer } from './start-server';

/** The built page. */
export const BUILT_PAGE = join(import.meta.dirname, '../../dist/web');

/** Content types, the only headers that the host sends. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface PlainHost extends RunningServer {
  /** Address of the page, with a slash at its end. */
  readonly page: string;
  /** Every requested path, in order. */
  readonly asked: readonly string[];
}

/**
 * Serves the built page like the simplest static host: in a folder, without headers except the content type, and
 * without other files.
 *
 * @param folder starts and ends with a slash
 * @param page folder with the files of the page
 */
export const servePlain = async (folder: string, page = BUILT_PAGE): Promise<PlainHost> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname);
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const file = path.startsWith(folder) ? join(page, path.slice(folder.length)) : '';
    readFile(file).then(
      (bytes) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type }).end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    page: origin + folder,
    asked,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
