import type { Manifest, ModelEntry } from '../catalogue/manifest';
import { chooseModels, type ChosenModels } from '../catalogue/choose';
import { detect, fitTiles, type WantedScores } from './detect';
import type { Detection } from './detection';
import { runAll } from './in-parallel';
import { mergeDetections, type Found } from './merge';
import type { ObjectClass } from './object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from './options';
import { findPlates } from './plates';
import type { Pyramid } from './pyramid';
import type { Sessions } from './sessions';
import { planTiles, type Tile } from './tile';

/** Plates are sought on vehicles that are less sure than those that are hidden: a missed car must not lose its plate. */
const CARRIER_SCORE = DEFAULT_THRESHOLDS.vehicle / 2;

/** What the detectors are asked for: the client's thresholds, and vehicles wherever plates are sought as text. */
const wantedScores = ({ classes, thresholds }: ImageOptions, isTextSought: boolean): WantedScores => {
  const wanted: Partial<Record<ObjectClass, number>> = {};
  for (const objectClass of classes) wanted[objectClass] = thresholds[objectClass];
  if (isTextSought) wanted.vehicle = Math.min(wanted.vehicle ?? 1, CARRIER_SCORE);
  return wanted;
};

/** Vehicles that nobody wants hidden are found at one scale: one that is missed there shows no plate that can be read. */
const CARRIER_LONG_SIDES = [640];

const withCarriers = (models: ChosenModels, { classes }: ImageOptions): ChosenModels => {
  const isWanted = (entry: ModelEntry): boolean =>
    entry.classes.some((objectClass) => classes.includes(objectClass));
  const forCarriers = (entry: ModelEntry): ModelEntry => ({
    ...entry,
    input: { ...entry.input, longSides: CARRIER_LONG_SIDES },
  });
  const detectors = models.detectors.map((entry) => (isWanted(entry) ? entry : forCarriers(entry)));
  return { ...models, detectors };
};

const countRuns = ({ detectors, textDetector }: ChosenModels, tiles: readonly Tile[]): number =>
  [...detectors, ...(textDetector ? [textDetector] : [])].reduce(
    (total, { input }) => total + fitTiles(tiles, input).length,
    0,
  );

/**
 * Finds everything that is to be hidden: every detector in every tile at every scale, merged to one detection each.
 *
 * @param onProgress share of the network runs that are done
 * @returns classes in their fixed order, best first
 */
export const findObjects = async (
  pyramid: Pyramid,
  options: ImageOptions,
  ports: { readonly sessions: Sessions; readonly manifest: Manifest },
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Detection[]> => {
  const tiles = planTiles(pyramid, options.tiling);
  const models = withCarriers(chooseModels(ports.manifest, options.classes, options.plateSearch), options);
  const wanted = wantedScores(options, models.textDetector !== undefined);
  const runs = countRuns(models, tiles);
  let done = 0;
  const onStep = (): void => onProgress(Math.min(1, ++done / runs));

  const { width, height } = pyramid;
  const { detectors, textDetector, plateJudge } = models;
  const detecting = runAll(
    detectors.map((entry) => async () => {
      const model = await ports.sessions.get(entry);
      return detect(pyramid, tiles, { ...model, entry }, wanted, onStep, signal);
    }),
    detectors.length,
  ).then((each) => each.flat());
  const searchText = async (): Promise<Found[]> => {
    if (!textDetector) return [];
    const vehicles = detecting.then((found) =>
      mergeDetections(found, width, height).filter(({ objectClass }) => objectClass === 'vehicle'),
    );
    vehicles.catch(() => undefined); // told by `detecting` itself
    const plateModels = {
      text: await ports.sessions.get(textDetector),
      judge: plateJudge && (await ports.sessions.get(plateJudge)),
    };
    const search = options.plateSearch ?? 'plates';
    return findPlates(pyramid, tiles, plateModels, vehicles, wanted, search, onStep, signal);
  };
  // Each is waited for, whatever becomes of the other: no run of a picture goes on when the picture has failed.
  const found = await runAll([() => detecting, searchText], 2);
  const all = mergeDetections(found.flat(), width, height);
  return all.filter(
    ({ objectClass, score }) =>
      options.classes.includes(objectClass) && score >= options.thresholds[objectClass],
  );
};
