/**
 * `npm run bench:street`: speed of the blur service for street imagery (`--panoramax`), and how many faces and plates
 * the default detection finds in photos of public places. A measurement, not a test: it never fails.
 *
 * Options: `--panoramas N` (100), `--clients N` (4), `--photos N` of each labelled set, spread over it (all).
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '#shared/domain/options';
import { DATA_SETS, spread } from '../../models/eval/data-sets';
import { evaluate } from '../../models/eval/evaluate';
import { openEngine } from '../../models/eval/open-engine';
import { measure } from '../../models/eval/score';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { buildOutdated } from './build-outdated';
import { createServerProcess } from '../support/server-process';
import { head, machine, row } from './markdown';
import { watchMemory } from './process-memory';
import { makeImage } from './images';
import { familyCpuMs } from './scale/process-cpu';

endWhenOutputCloses();

const DATA_FOLDER = new URL('../../../shared/data', import.meta.url).pathname;
const PANORAMA = `${DATA_FOLDER}/panoramas/equirectangular.jpg`;
const [WIDTH, HEIGHT] = [5760, 2880];
const SETS = ['plates', 'faces', 'crowds'] as const;
/** Recall and precision as their authors publish them, on photos of their own: not the same photos as below. */
const PUBLISHED = [
  ['SGBlur, published, own photos', 'face', '', '.619', '.724'],
  ['SGBlur, published, own photos', 'license-plate', '', '.849', '.833'],
];
const MINUTE_MS = 60_000;

const { values: flags } = parseArgs({
  options: {
    panoramas: { type: 'string', default: '100' },
    clients: { type: 'string', default: '4' },
    photos: { type: 'string', default: 'Infinity' },
  },
});

/** A panorama as a camera writes it, with `GPano` so that it is searched as one. */
const makePanorama = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const image = existsSync(PANORAMA)
    ? sharp(readFileSync(PANORAMA)).resize(WIDTH, HEIGHT, { fit: 'fill' })
    : sharp(await makeImage(WIDTH, HEIGHT));
  const fields =
    'xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular"';
  const description = `<rdf:Description rdf:about="" ${fields}/>`;
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF>`;
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`;
  return new Uint8Array(await image.withXmp(xmp).jpeg({ quality: 90 }).toBuffer());
};

/** @returns bytes of the answer */
const blurOne = async (origin: string, panorama: Uint8Array<ArrayBuffer>): Promise<number> => {
  const body = new FormData();
  body.append('picture', new Blob([panorama], { type: 'image/jpeg' }), 'picture.jpg');
  const response = await fetch(`${origin}/blur/`, { method: 'POST', body });
  const bytes = await response.arrayBuffer();
  if (!response.ok) throw new Error(`answered ${response.status}: ${Buffer.from(bytes).toString()}`);
  return bytes.byteLength;
};

const printSpeed = async (): Promise<void> => {
  const panorama = await makePanorama();
  const server = await createServerProcess(['--panoramax', '-a', 'face', '-a', 'license-plate']);
  server.start();
  await server.loaded();
  const memory = watchMemory(server.pid());
  try {
    // The first one loads the networks.
    const resultBytes = await blurOne(server.origin, panorama);
    const count = Number(flags.panoramas);
    const [startMs, startCpuMs] = [performance.now(), familyCpuMs(server.pid())];
    let next = 0;
    const client = async (): Promise<void> => {
      while (next++ < count) await blurOne(server.origin, panorama);
    };
    await Promise.all(Array.from({ length: Number(flags.clients) }, client));
    const perMinute = (ms: number): string => ((count * MINUTE_MS) / ms).toFixed(1);
    const cpuMs = familyCpuMs(server.pid()) - startCpuMs;
    console.log(
      head([
        `Panoramas of ${WIDTH} × ${HEIGHT} px, ${flags.clients} clients`,
        'Each minute',
        'Each minute of one core',
        'Peak MiB',
        'Size of the result',
      ]),
    );
    const size = `${((100 * resultBytes) / panorama.length).toFixed(1)} %`;
    console.log(
      row([count, perMinute(performance.now() - startMs), perMinute(cpuMs), memory.stop().toFixed(0), size]),
    );
  } finally {
    await server.remove();
  }
};

const printQuality = async (): Promise<void> => {
  console.log(`\n${head(['Set, `balanced`', 'Class', 'Objects', 'Recall', 'Precision'])}`);
  for (const cells of PUBLISHED) console.log(row(cells));
  const engine = await openEngine();
  await engine.load(defaultImageOptions(), () => undefined, new AbortController().signal);
  for (const name of existsSync(DATA_FOLDER) ? SETS : []) {
    const { classes, read } = DATA_SETS[name];
    const photos = spread(read(DATA_FOLDER), Number(flags.photos));
    const how = { plates: 'usual', quality: 'balanced', isSweep: false } as const;
    for (const [objectClass, outcomes] of (await evaluate(engine, photos, classes, how)).outcomes) {
      const { truths, recall, precision } = measure(outcomes, DEFAULT_THRESHOLDS[objectClass]);
      console.log(
        row([
          `${name}, ${photos.length} photos`,
          objectClass,
          truths,
          recall.toFixed(3),
          precision.toFixed(3),
        ]),
      );
    }
  }
};

buildOutdated();
console.log(`${machine()}\n`);
await printSpeed();
await printQuality();
