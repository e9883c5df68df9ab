/**
 * `npm run eval:attack`: whether hidden objects can be recovered.
 *
 * Faces in photos are hidden with the default settings. A face recogniser then compares them with the same faces, which
 * were changed to look like another photo. Plates are hidden, and a text recogniser reads them. Each attack uses the
 * hidden pixels, their deconvolution, and the mean of many frames; faces are also compared with known faces that were
 * hidden in the same way.
 *
 * Options: `--faces N` (60), `--plates N` to try (60), `--frames N` (8).
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Box } from '#shared/domain/boxes';
import type { Raster } from '#shared/domain/raster';
import type { ObjectClass } from '#shared/catalogue/classes';
import { HIDING_METHODS, type HidingMethod } from '#shared/catalogue/methods';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { createRandom } from '../video/random';
import { deconvolve } from './deconvolve';
import { collectFaces, type Face } from './faces';
import { averageFrames, hide, type HiddenObject } from './hide';
import { collectPlates, openReader, type Plate, type ReadText } from './read-plates';
import { type Embed, likenessOf, openRecogniser, RECOGNISERS, type RecogniserName } from './recognise-faces';
import { identify, scoreReadings } from './statistics';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    faces: { type: 'string', default: '60' },
    plates: { type: 'string', default: '60' },
    frames: { type: 'string', default: '8' },
  },
});

const SEED = 6;

/** Input of an attack, made from an object that was hidden. */
type Attack = (raster: Raster, objectClass: ObjectClass, box: Box, method: HidingMethod) => HiddenObject;

const manyFrames: Attack = (raster, objectClass, box, method) =>
  averageFrames(raster, objectClass, box, {
    method,
    frames: Number(flags.frames),
    random: createRandom(SEED),
  });

const ATTACKS: Readonly<Record<string, Attack>> = {
  'as it is': hide,
  deconvolved: (...hidden) => deconvolve(hide(...hidden)),
  [`mean of ${flags.frames} frames`]: manyFrames,
  [`mean of ${flags.frames} frames, deconvolved`]: (...hidden) => deconvolve(manyFrames(...hidden)),
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (names: readonly string[]): string => [row(names), row(names.map(() => '---'))].join('\n');
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

type Embeddings = readonly Float32Array[];

const identifyAll = (seen: Embeddings, known: Embeddings): readonly string[] => {
  const result = identify(seen.map((one) => known.map((other) => likenessOf(one, other))));
  return [
    String(result.objects),
    percent(result.rank1),
    percent(1 / result.objects),
    percent(result.maxChance),
    result.own.toFixed(3),
    result.others.toFixed(3),
    result.rank1 > result.maxChance ? 'YES' : 'no',
  ];
};

const embedAll = async <T>(
  items: readonly T[],
  embed: (item: T) => Promise<Float32Array>,
): Promise<Embeddings> => {
  const embeddings: Float32Array[] = [];
  for (const item of items) embeddings.push(await embed(item));
  return embeddings;
};

const attackFaces = async (name: RecogniserName, embed: Embed, faces: readonly Face[]): Promise<void> => {
  const shown = ({ raster, box }: Pick<HiddenObject, 'raster' | 'box'>) => embed(raster, box);
  const known = await embedAll(faces, ({ again }) => shown(again));
  const open = await embedAll(faces, shown);
  console.log(row([name, 'not hidden', '', 'photos', ...identifyAll(open, known)]));
  for (const method of HIDING_METHODS) {
    for (const [attack, make] of Object.entries(ATTACKS)) {
      if (method === 'blacken' && attack !== 'as it is') continue;
      const seen = await embedAll(faces, ({ raster, box }) => shown(make(raster, 'face', box, method)));
      console.log(row([name, method, attack, 'photos', ...identifyAll(seen, known)]));
      if (attack !== 'as it is') continue;
      const alike = await embedAll(faces, ({ again }) =>
        shown(hide(again.raster, 'face', again.box, method)),
      );
      console.log(row([name, method, attack, 'photos hidden alike', ...identifyAll(seen, alike)]));
    }
  }
};

const attackPlates = async (read: ReadText, plates: readonly Plate[]): Promise<void> => {
  const texts = plates.map(({ text }) => text);
  const print = (method: string, attack: string, readings: readonly string[]): void => {
    const { own, chance, whole } = scoreReadings(texts, readings);
    const cells = [String(plates.length), percent(own), percent(chance), percent(whole)];
    console.log(row([method, attack, ...cells]));
  };
  print('not hidden', '', texts);
  for (const method of HIDING_METHODS) {
    for (const [attack, make] of Object.entries(ATTACKS)) {
      if (method === 'blacken' && attack !== 'as it is') continue;
      const readings: string[] = [];
      for (const { raster, box } of plates) {
        readings.push((await read(make(raster, 'license-plate', box, method).raster, box)).text);
      }
      print(method, attack, readings);
    }
  }
};

const DATA = new URL('../../../../shared/data/plates', import.meta.url).pathname;

const main = async (): Promise<void> => {
  const faces = await collectFaces(Number(flags.faces));
  const columns = ['Recogniser', 'Method', 'Seen', 'Known', 'Faces', 'Rank 1', 'Chance', 'Chance at most'];
  console.log(head([...columns, 'Likeness, same face', 'Others', 'Above chance']));
  for (const name of Object.keys(RECOGNISERS) as RecogniserName[]) {
    await attackFaces(name, await openRecogniser(name), faces);
  }
  if (!existsSync(DATA)) return console.log(`\nPlates were not tried: there are no photos in ${DATA}.`);
  const read = await openReader();
  const plates = await collectPlates(read, Number(flags.plates));
  console.log(
    `\n${head(['Method', 'Seen', 'Plates', 'Characters read', 'By chance', 'Plates read wholly'])}`,
  );
  await attackPlates(read, plates);
};

await main();
