import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOMMENDED_STAND_INS } from '../../models/packs/test/recommended-stand-ins';
import { createCertificates } from '../../server/testing/services/certificates';

export const HUB = 'huggingface.co';
/** Where the hub stores files. */
export const STORAGE = 'us.aws.cdn.hf.co';
/** A site that the page must not reach. */
export const ELSEWHERE = 'elsewhere.example.org';

/** How the next requests are answered. */
export interface HubBehaviour {
  /** Host to which the hub redirects. */
  storage: string;
  /** The storage sends only so many bytes, and then waits for `cut`. */
  stopsAfter: number;
  /** What the storage sends in place of a file. */
  other: Uint8Array | undefined;
}

export interface ModelHub {
  /** Argument of Chromium with which it reaches these hosts here. */
  readonly resolverRules: string;
  readonly behaviour: HubBehaviour;
  readonly asked: readonly IncomingMessage[];
  /** Breaks the connections that wait. */
  cut(): void;
  stop(): void;
}

const AS_THE_HUB = (): HubBehaviour => ({
  storage: STORAGE,
  stopsAfter: Number.POSITIVE_INFINITY,
  other: undefined,
});

const sendFile = (
  { headers }: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array,
  { stopsAfter }: HubBehaviour,
): void => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': file.length - from,
    'content-range': `bytes ${from}-${file.length - 1}/${file.length}`,
  });
  const end = from + stopsAfter;
  response.write(file.subarray(from, end));
  if (end >= file.length) response.end();
};

/** Serves the recommended models like their hub: by TLS, with a redirection to a storage. */
export const startModelHub = async (): Promise<ModelHub> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-hub-'));
  const { key, certificate } = createCertificates(folder);
  const asked: IncomingMessage[] = [];
  const behaviour = AS_THE_HUB();
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) };
  rmSync(folder, { recursive: true });
  const server = createServer(tls, (request, response) => {
    asked.push(request);
    response.setHeader('access-control-allow-origin', '*');
    const { host, pathname, searchParams } = new URL(request.url ?? '', `https://${request.headers.host}`);
    const id = host === HUB ? undefined : searchParams.get('file');
    const model = RECOMMENDED_STAND_INS.find((each) => each.id === id || each.url.endsWith(pathname));
    if (!model) response.writeHead(404).end();
    else if (id === undefined) {
      response.writeHead(302, { location: `https://${behaviour.storage}/?file=${model.id}` }).end();
    } else sendFile(request, response, behaviour.other ?? model.file, behaviour);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mapped = [HUB, STORAGE, ELSEWHERE].map((host) => `MAP ${host}:443 127.0.0.1:${port}`);
  return {
    resolverRules: `--host-resolver-rules=${mapped.join(',')}`,
    behaviour,
    asked,
    cut: () => server.closeAllConnections(),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
