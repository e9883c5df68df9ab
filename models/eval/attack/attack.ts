/**
 * `npm run eval:attack`: whether hidden objects can be recovered.
 *
 * Faces in photos are hidden with the default settings. Recognisers then compare them with the same faces, which were
 * changed to look like another photo. Plates are hidden, and a text recogniser reads them. Each attack uses the hidden
 * pixels, their deconvolution, and the mean of many frames. An attacker who knows the method compares hidden objects
 * with known ones that were hidden in the same way, also by shifted boxes, and thus by shifted grids.
 *
 * Options: `--faces N` (all, 232 with all photos), `--side px` (112) of faces, `--plates N` to try (200), `--frames N` (8),
 * `--method NAME` (all methods) and `--attack NAME` (all; as the column "Seen" names them), both may be repeated.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import type { Raster } from '#shared/domain/raster';
import type { ObjectClass } from '#shared/catalogue/classes';
import { HIDING_METHODS, type HidingMethod } from '#shared/catalogue/methods';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { createRandom } from '../video/random';
import { deconvolve } from './deconvolve';
import { collectFaces, type Face, photographTwice, type Shown } from './faces';
import { averageFrames, hide, type HiddenObject } from './hide';
import { collectPlates, openReader, type Plate, type ReadText } from './read-plates';
import { type Embed, likenessOf, RECOGNISERS } from './recognise-faces';
import { GALLERY, identify, scoreReadings, type Share, shareOf } from './statistics';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    faces: { type: 'string', default: '1000' },
    side: { type: 'string', default: '112' },
    plates: { type: 'string', default: '200' },
    frames: { type: 'string', default: '8' },
    method: { type: 'string', multiple: true, default: [...HIDING_METHODS] },
    attack: { type: 'string', multiple: true },
  },
});

const METHODS = HIDING_METHODS.filter((method) => flags.method.includes(method));
const SEED = 6;
/** Width of plates in px, when they are compared. */
const PLATE_SIDE = 160;

/** Input of an attack, made from an object that was hidden. */
type Attack = (raster: Raster, objectClass: ObjectClass, box: Box, method: HidingMethod) => HiddenObject;

const manyFrames: Attack = (raster, objectClass, box, method) =>
  averageFrames(raster, objectClass, box, {
    method,
    frames: Number(flags.frames),
    random: createRandom(SEED),
  });

const AS_IT_IS = 'as it is';
const ATTACKS: Readonly<Record<string, Attack>> = {
  [AS_IT_IS]: hide,
  deconvolved: (...hidden) => deconvolve(hide(...hidden)),
  [`mean of ${flags.frames} frames`]: manyFrames,
  [`mean of ${flags.frames} frames, deconvolved`]: (...hidden) => deconvolve(manyFrames(...hidden)),
};

const attacksOn = (method: HidingMethod): readonly (readonly [string, Attack])[] =>
  Object.entries(ATTACKS)
    .filter(([name]) => flags.attack?.includes(name) ?? true)
    .filter(([name]) => method !== 'blacken' || name === AS_IT_IS);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (names: readonly string[]): string => [row(names), row(names.map(() => '---'))].join('\n');
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const within = ({ mean, from, to }: Share): string =>
  `${percent(mean)} (${(100 * from).toFixed(1)}–${(100 * to).toFixed(1)})`;

/** Embeddings of objects, several for each if it was hidden several times. */
type Embeddings = readonly (readonly Float32Array[])[];
type Images = readonly (readonly Shown[])[];

const embedAll = async (images: Images, embed: Embed): Promise<Embeddings> => {
  const all: Float32Array[][] = [];
  for (const views of images) {
    const own: Float32Array[] = [];
    for (const { raster, box } of views) own.push(await embed(raster, box));
    all.push(own);
  }
  return all;
};

const likeness = (seen: Embeddings, known: Embeddings): readonly (readonly number[])[] =>
  seen.map(([one]) =>
    known.map((views) => Math.max(...views.map((view) => likenessOf(one as Float32Array, view)))),
  );

/** Shifts of the box by which known objects are hidden, as shares of its sides. The first does not shift. */
const SHIFTS = [
  [0, 0],
  [0.06, 0.06],
  [-0.06, -0.06],
] as const;

const shifted = (box: Box, [across, down]: readonly [number, number]): Box => {
  const [x, y] = [across * boxWidth(box), down * boxHeight(box)];
  return { x1: box.x1 + x, y1: box.y1 + y, x2: box.x2 + x, y2: box.y2 + y };
};

/** Objects that are attacked, all of one class. */
interface Targets {
  readonly objectClass: ObjectClass;
  readonly objects: readonly Face[];
  readonly recognisers: readonly Embed[];
}

/** One row: the share of objects that each recogniser names, and the mean of all with its interval. */
const printNamed = (labels: readonly string[], named: readonly (readonly number[])[]): void => {
  const objects = named[0]?.length ?? 0;
  const chance = 1 / Math.min(GALLERY, objects);
  const all = shareOf(
    Array.from({ length: objects }, (_, i) => shareOf(named.map((values) => values[i] as number)).mean),
  );
  const isAtChance = all.mean <= chance + 0.01 && all.to <= 2 * chance;
  const each = named.map((values) => percent(shareOf(values).mean));
  console.log(row([...labels, ...each, within(all), percent(chance), isAtChance ? 'yes' : 'NO']));
};

const attackByLikeness = async ({ objectClass, objects, recognisers }: Targets): Promise<void> => {
  const embed = (images: Images): Promise<readonly Embeddings[]> =>
    Promise.all(recognisers.map((one) => embedAll(images, one)));
  const compare = (
    labels: readonly string[],
    seen: readonly Embeddings[],
    known: readonly Embeddings[],
  ): void =>
    printNamed(
      [objectClass, ...labels],
      seen.map((own, i) => identify(likeness(own, known[i] as Embeddings))),
    );
  const open = await embed(objects.map(({ again }) => [again]));
  compare(['not hidden', '', 'photos'], await embed(objects.map((one) => [one])), open);
  for (const method of METHODS) {
    for (const [attack, make] of attacksOn(method)) {
      const seen = await embed(objects.map(({ raster, box }) => [make(raster, objectClass, box, method)]));
      compare([method, attack, 'photos'], seen, open);
      if (attack !== AS_IT_IS) continue;
      const alike = await embed(
        objects.map(({ again: { raster, box } }) =>
          SHIFTS.map((shift) => hide(raster, objectClass, shifted(box, shift), method)),
        ),
      );
      const unshifted = alike.map((own) => own.map(([first]) => [first as Float32Array]));
      compare([method, attack, 'photos hidden alike'], seen, unshifted);
      compare([method, attack, 'the same, three boxes'], seen, alike);
    }
  }
};

const attackText = async (read: ReadText, plates: readonly Plate[]): Promise<void> => {
  const texts = plates.map(({ text }) => text);
  const print = (method: string, attack: string, readings: readonly string[]): void => {
    const { own, chance, whole } = scoreReadings(texts, readings);
    console.log(row([method, attack, String(plates.length), within(own), percent(chance), percent(whole)]));
  };
  print('not hidden', '', texts);
  for (const method of METHODS) {
    for (const [attack, make] of attacksOn(method)) {
      const readings: string[] = [];
      for (const { raster, box } of plates) {
        readings.push((await read(make(raster, 'license-plate', box, method).raster, box)).text);
      }
      print(method, attack, readings);
    }
  }
};

const printHead = (recognisers: readonly string[], objects: number): void => {
  const known = `All (95 %), among ${Math.min(GALLERY, objects)} of ${objects}`;
  console.log(
    `\n${head(['Class', 'Method', 'Seen', 'Known', ...recognisers, known, 'Chance', 'At chance'])}`,
  );
};

const DATA = new URL('../../../../shared/data/plates', import.meta.url).pathname;

const main = async (): Promise<void> => {
  const names = Object.keys(RECOGNISERS);
  const recognisers: Embed[] = [];
  for (const open of Object.values(RECOGNISERS)) recognisers.push(await open());
  const faces = await photographTwice(await collectFaces(Number(flags.faces)), Number(flags.side));
  if (faces.length > 0) {
    printHead(names, faces.length);
    await attackByLikeness({ objectClass: 'face', objects: faces, recognisers });
  }
  if (!existsSync(DATA)) return console.log(`\nPlates were not tried: there are no photos in ${DATA}.`);
  const read = await openReader();
  const plates = await collectPlates(read, Number(flags.plates));
  if (plates.length === 0) return;
  const colours = recognisers[names.indexOf('colours')] as Embed;
  const objects = await photographTwice(plates, PLATE_SIDE);
  printHead(['colours'], objects.length);
  await attackByLikeness({ objectClass: 'license-plate', objects, recognisers: [colours] });
  console.log(
    `\n${head(['Method', 'Seen', 'Plates', 'Characters read (95 %)', 'By chance', 'Plates read wholly'])}`,
  );
  await attackText(read, plates);
};

await main();
