import { preview } from 'vite';
import { freePort } from './free-port';
import type { RunningServer } from './start-server';

/** Serves the built page with no API behind it, as any host of files does. */
export const serveFiles = async (): Promise<RunningServer> => {
  const port = await freePort();
  const server = await preview({
    logLevel: 'error',
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close() };
};
