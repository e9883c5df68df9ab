import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Pack } from '#shared/engine/packs/packs';
import { checkPacks } from './check-packs';
import { readInstalled } from './installed';
import { installing, MODELS } from './test/installing';
import { packOf, vehicleModel } from './test/tiny-models';

const FILES = { small: vehicleModel(0.9), large: vehicleModel(0.8) };
const { target, leftBehind, write } = installing();
/** Addresses that were asked for, with the requested range. */
let asked: string[];
let printed: string[];
let server: Server;
/** Closes the connection after this many bytes of the large model. */
let largeEnds: number;

/** Length of the part of a file that the client has stored. */
const partBytes = async (): Promise<number> => {
  const part = (await leftBehind()).find((name) => name.endsWith('.part'));
  return part === undefined ? 0 : (await stat(join(target(), part))).size;
};

/** Ends the response, or interrupts it when the client has stored what was sent. */
const finish = async (response: ServerResponse, isCut: boolean): Promise<void> => {
  if (!isCut) return void response.end();
  await vi.waitFor(async () => expect(await partBytes()).toBe(largeEnds));
  response.destroy();
};

const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
  asked.push(`${url} ${headers.range ?? ''}`.trim());
  if (url.startsWith('/cdn')) {
    const file = FILES[url.endsWith('large') ? 'large' : 'small'];
    const from = Number(/\d+/.exec(headers.range ?? '0')?.[0]);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': file.length - from,
      'content-range': `bytes ${from}-${file.length - 1}/${file.length}`,
    });
    const isCut = url.endsWith('large') && from === 0 && largeEnds < file.length;
    response.write(file.subarray(from, isCut ? largeEnds : undefined), () => void finish(response, isCut));
  } else response.writeHead(302, { location: `/cdn${url}` }).end();
};

const packAt = (id: 'small' | 'large', presets: Pack['presets']): Pack => {
  const { port } = server.address() as AddressInfo;
  const source = { url: `http://127.0.0.1:${port}/${id}` };
  return {
    ...packOf(FILES[id], { id, file: `${id}.onnx`, source, licence: 'Apache-2.0' }),
    id,
    isUntested: true,
    ...(presets && { presets }),
  };
};

/** Runs a command of `veil models` with two recommended packs on a local server. */
const run = async (action: 'add' | 'remove', pack: string, from?: string): Promise<void> => {
  const RECOMMENDED_PACKS = [packAt('small', ['fast', 'balanced']), packAt('large', ['thorough'])];
  vi.doMock('./known-packs', async (original) => ({
    ...(await original<object>()),
    RECOMMENDED_PACKS,
    KNOWN_PACKS: RECOMMENDED_PACKS,
  }));
  vi.resetModules();
  const { runModels } = await import('./run-models');
  await runModels({ action, pack, from }, { folder: target(), modelsFolder: MODELS });
};
const installedIds = async (): Promise<readonly string[]> =>
  (await readInstalled(target())).map(({ id }) => id);

beforeEach(async () => {
  [asked, printed, largeEnds] = [[], [], Number.POSITIVE_INFINITY];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const opened = createServer(answer);
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

it('`add recommended` installs its packs, and says before what, how large, whose and not run by us', async () => {
  vi.mocked(console.log).mockImplementation((line: string) => {
    // Whatever is printed before the first request.
    if (asked.length === 0) printed.push(line);
  });
  await run('add', 'recommended');
  const before = printed.join('\n');
  for (const said of [/0\.0 MB together/, /licence: Apache-2\.0; for quality fast and balanced/]) {
    expect(before).toMatch(said);
  }
  expect(before.match(/from http:\/\/127\.0\.0\.1/g)).toHaveLength(2);
  expect(before.match(/Not run by us/g)).toHaveLength(2);
  expect(await installedIds()).toEqual(['large', 'small']);
  expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined, undefined]);
});

it('`add recommended` resumes after an interruption, and loads no file again that is installed', async () => {
  largeEnds = 100;
  await expect(run('add', 'recommended')).rejects.toThrow(/was interrupted/);
  expect(await installedIds()).toEqual(['small']);
  asked = [];
  await run('add', 'recommended');
  expect(asked).toEqual(['/large bytes=100-', '/cdn/large bytes=100-']);
  expect(await installedIds()).toEqual(['large', 'small']);
});

it('`add recommended` without a network names the host, and the way around it', async () => {
  const refused = run('add', 'recommended');
  server.close();
  const error: unknown = await refused.catch((cause: unknown) => cause);
  expect((error as Error).message).toMatch(
    /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Without a network, load http:.* on another machine/,
  );
  expect(await leftBehind()).toEqual([]);
});

it('`remove recommended` removes those that are installed, and nothing else', async () => {
  await expect(run('remove', 'recommended')).rejects.toThrow('None of the recommended packs is installed.');
  await run('add', await write('own.json', packOf(FILES.small)), await write('own.onnx', FILES.small));
  await run('add', 'small');
  await run('remove', 'recommended');
  expect(await installedIds()).toEqual(['tiny-vehicles']);
});

it('one file cannot stand for the recommended packs', async () => {
  const adding = run('add', 'recommended', await write('own.onnx', FILES.small));
  await expect(adding).rejects.toThrow('--from names one file, but recommended are several packs.');
});
