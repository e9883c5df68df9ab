import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseModels } from '#shared/catalogue/choose';
import type { Pack } from '#shared/catalogue/packs';
import { LIMITS } from '#shared/api/limits';
import { optionsWith } from '#shared/testing/plans';
import { createRaster } from '#shared/testing/rasters';
import { imageCodec } from '../../server/adapters/image-codec';
import { readManifest } from '../../server/adapters/model-files';
import { openEngine } from '../eval/open-engine';
import { addPack } from './add-pack';
import { checkPacks } from './check-packs';
import { findPack } from './find-pack';
import { readInstalled, removePack } from './installed';
import { Refusal } from './refusal';
import { packOf, promptedModel, tinyModel, vehicleModel } from './test/tiny-models';

const MODELS = join(import.meta.dirname, '..');
const manifest = await readManifest(MODELS);
const MODEL = vehicleModel();

let folder: string;
let server: Server | undefined;
let asked: IncomingMessage[];
/** What a server does when some of what it sent has been taken. */
let onTaken: (() => void) | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-packs-'));
  asked = [];
  onTaken = undefined;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
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

const write = async (name: string, content: Uint8Array | object): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
};
const target = (): string => join(folder, 'installed');
const add = async (named: string, from?: string): Promise<Pack> =>
  addPack(await findPack(named), { folder: target(), manifest, from, onBytes: () => onTaken?.() });
const addAt = async (url: string, model = MODEL): Promise<Pack> =>
  add(await write('pack.json', packOf(model, { source: { url } })));
const leftBehind = (): Promise<string[]> => readdir(target()).catch(() => []);

const expectRefusal = async (adding: Promise<unknown>, sentence: RegExp): Promise<void> => {
  const refusal: unknown = await adding.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).message).toMatch(sentence);
  expect((refusal as Refusal).message).not.toContain('\n');
  expect(await readInstalled(target())).toEqual([]);
  expect((await leftBehind()).filter((name) => name.endsWith('.onnx'))).toEqual([]);
};

describe('a pack', () => {
  it('is installed from its description and a file, and finds what it finds', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    expect(await checkPacks(target())).toEqual([
      { pack: 'tiny-vehicles', model: 'tiny-vehicles', problem: undefined },
    ]);
    const engine = await openEngine(target());
    const job = {
      bytes: await imageCodec.encodePng({ ...createRaster(64, 64, () => [90, 90, 90]), channels: 4 }, 1),
      options: optionsWith({ method: 'detect', classes: ['vehicle'] }),
      encodings: { jpeg: { format: 'jpeg', quality: 90 }, png: { format: 'png', compressLevel: 1 } },
      masks: [],
      limits: LIMITS,
    } as const;
    const { report } = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
    expect(report.detections.map(({ objectClass, box }) => ({ objectClass, box }))).toEqual([
      { objectClass: 'vehicle', box: { x1: 16, y1: 8, x2: 48, y2: 24 } },
    ]);
  });

  it('is installed from an archive', async () => {
    const archive = zipSync({
      'pack.json': Buffer.from(JSON.stringify(packOf(MODEL))),
      'tiny-vehicles.onnx': MODEL,
    });
    await add(await write('pack.zip', archive));
    expect((await readInstalled(target())).map(({ id }) => id)).toEqual(['tiny-vehicles']);
  });

  it('is installed from an address, its model beside it', async () => {
    const address = await serve((request, response) => {
      response.end(
        request.url === '/a/pack.json' ? JSON.stringify(packOf(MODEL, { source: { url: 'm.onnx' } })) : MODEL,
      );
    });
    await add(`${address}/a/pack.json`);
    expect(asked.map(({ url }) => url)).toEqual(['/a/pack.json', '/a/m.onnx']);
  });

  it('goes when it is removed, files and all', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await removePack(target(), 'tiny-vehicles');
    expect(await leftBehind()).toEqual(['packs.json']);
    expect(await readManifest(MODELS, target())).toEqual(manifest);
    await expect(removePack(target(), 'tiny-vehicles')).rejects.toThrow('is not installed');
  });

  it('gives way to its next version, which leaves nothing of it', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    const next = vehicleModel(0.7);
    await add(await write('pack.json', packOf(next)), await write('model.onnx', next));
    expect((await leftBehind()).filter((name) => name.endsWith('.onnx'))).toHaveLength(1);
    expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it('stays as it was, whole, where its next version fails half-way', async () => {
    const archive = (models: readonly object[], files: Record<string, Uint8Array>): Uint8Array =>
      zipSync({ 'pack.json': Buffer.from(JSON.stringify({ ...packOf(MODEL), models })), ...files });
    const [model] = packOf(MODEL).models;
    await add(await write('pack.zip', archive([model!], { 'tiny-vehicles.onnx': MODEL })));
    const installed = await readInstalled(target());
    const more = { ...model, id: 'more', file: 'more.onnx', sha256: 'a'.repeat(64) };
    const files = { 'tiny-vehicles.onnx': MODEL, 'more.onnx': MODEL };
    const adding = add(await write('pack.zip', archive([model!, more], files)));
    await expect(adding).rejects.toThrow('not the one that was announced');
    expect(await readInstalled(target())).toEqual(installed);
    expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined]);
    expect(await leftBehind()).toHaveLength(2);
  });

  it('gives way to one for the same class that is added later', async () => {
    const later = vehicleModel(0.7);
    const described = packOf(later, { id: 'later', file: 'later.onnx' });
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await add(await write('pack.json', { ...described, id: 'later' }), await write('model.onnx', later));
    const chosen = async () =>
      chooseModels(await readManifest(MODELS, target()), ['vehicle']).detectors.map(({ id }) => id);
    expect(await chosen()).toEqual(['later']);
    await removePack(target(), 'later');
    expect(await chosen()).toEqual(['tiny-vehicles']);
  });

  it('that was changed or lost on disk is told by check', async () => {
    const { models } = await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    const file = join(target(), models[0]!.file);
    await writeFile(
      file,
      MODEL.map((byte) => byte ^ 1),
    );
    expect((await checkPacks(target()))[0]?.problem).toMatch(/was changed/);
    await rm(file);
    expect((await checkPacks(target()))[0]?.problem).toMatch(/is gone/);
  });

  it('whose sizes are an example’s is freed of them', async () => {
    const grown = tinyModel(
      'images',
      [10, 3, 32, 32],
      [{ name: 'output0', dims: [1, 7], data: Float32Array.of(0, 8, 4, 24, 12, 2, 0.9) }],
    );
    const input = {
      name: 'images',
      mean: [0, 0, 0],
      std: [1, 1, 1],
      multipleOf: 32,
      longSides: [64],
    } as const;
    const fixed = packOf(grown, { input });
    const freed = packOf(grown, { input, source: { freesSize: true } });
    const file = await write('model.onnx', grown);
    await expectRefusal(add(await write('pack.json', fixed), file), /does not run as its pack says/);
    await add(await write('pack.json', freed), file);
    expect((await checkPacks(target()))[0]?.problem).toBeUndefined();
  });
});

describe('a pack that outlines what it is told', () => {
  it('is run with a box when it is installed', async () => {
    const model = promptedModel();
    const input = {
      name: 'image',
      mean: [0, 0, 0],
      std: [255, 255, 255],
      size: [32, 32],
      prompts: { points: 'points', labels: 'labels' },
    } as const;
    const asked = { head: 'efficient-sam', input, outputs: ['masks'] } as const;
    await add(await write('pack.json', packOf(model, asked)), await write('model.onnx', model));
    const { name, mean, std, size } = input;
    const untold = packOf(model, { ...asked, input: { name, mean, std, size } });
    await removePack(target(), 'tiny-vehicles');
    await expectRefusal(add(await write('pack.json', untold), join(folder, 'model.onnx')), /does not run/);
  });
});

describe('a download', () => {
  it('that breaks off goes on where it ended', async () => {
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
    await expectRefusal(addAt(`${address}/m.onnx`), /broke off/);
    await addAt(`${address}/m.onnx`);
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100-']);
  });

  it('begins anew where the server gives no parts', async () => {
    let tries = 0;
    const address = await serve((_request, response) => {
      response.setHeader('content-length', MODEL.length);
      onTaken = tries === 0 ? () => response.destroy() : undefined;
      if (tries++ === 0) response.write(MODEL.subarray(0, 100));
      else response.end(MODEL);
    });
    await expectRefusal(addAt(`${address}/m.onnx`), /broke off/);
    await addAt(`${address}/m.onnx`);
    expect(tries).toBe(2);
  });

  it('goes through the proxy that the environment names', async () => {
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
      /not the one/,
    ],
    ['a shorter file', (response) => response.end(MODEL.subarray(1)), /not the one/],
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

describe('hostile input', () => {
  const DESCRIPTION = Buffer.from(JSON.stringify(packOf(MODEL)));

  it.each(['../tiny-vehicles.onnx', '/etc/x.onnx', 'a/../../x.onnx', '..\\x.onnx', 'C:x.onnx', '.hidden'])(
    'is refused: an archive with a file named %s',
    async (name) => {
      const archive = zipSync({ 'pack.json': DESCRIPTION, [name]: MODEL });
      await expectRefusal(add(await write('pack.zip', archive)), /leads elsewhere/);
    },
  );

  it('is refused: an archive whose description unpacks to more than one is', async () => {
    const archive = zipSync({ 'pack.json': new Uint8Array(2 ** 21) });
    await expectRefusal(add(await write('pack.zip', archive)), /more than a pack/);
  });

  it('is refused: an archive that is cut short, or has no description', async () => {
    const archive = zipSync({ 'pack.json': DESCRIPTION });
    await expectRefusal(add(await write('pack.zip', archive.subarray(0, 40))), /damaged/);
    await expectRefusal(add(await write('pack.zip', zipSync({ 'a.onnx': MODEL }))), /no pack\.json/);
  });

  it.each<[string, unknown, RegExp]>([
    ['that is no JSON', Buffer.from('{'), /not JSON/],
    ['that names a file elsewhere', packOf(MODEL, { file: '../../manifest.onnx' }), /wrong at/],
    ['that takes a default model’s name', packOf(MODEL, { id: 'centernet' }), /Two models are named/],
    [
      'whose model says something else',
      packOf(MODEL, { outputs: ['other'] }),
      /does not run as its pack says/,
    ],
  ])('is refused: a description %s', async (_name, content, sentence) => {
    const file = await write('pack.json', content as object);
    await expectRefusal(add(file, await write('model.onnx', MODEL)), sentence);
  });

  it('is refused: a model that is no graph', async () => {
    const noise = Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 251);
    const file = await write('pack.json', packOf(noise));
    await expectRefusal(add(file, await write('model.onnx', noise)), /does not run/);
  });

  it('is refused: a damaged list of what is installed', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await writeFile(join(target(), 'packs.json'), '{"packs":[{}]}');
    await expect(readInstalled(target())).rejects.toThrow(/is damaged/);
    await expect(readManifest(MODELS, target())).rejects.toThrow(/description/);
  });
});
