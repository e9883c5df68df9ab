import type { Manifest } from '../catalogue/manifest';
import { chooseModels, type ChosenModels } from '../catalogue/choose';
import { detect, scalesFor, type WantedScores } from './detect';
import type { Detection } from './detection';
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

const countRuns = ({ detectors, textDetector }: ChosenModels, tiles: readonly Tile[]): number =>
  [...detectors, ...(textDetector ? [textDetector] : [])]
    .flatMap(({ input }) => tiles.map((tile) => scalesFor(tile, input)))
    .reduce((total, scales) => total + scales.length, 0);

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
  const models = chooseModels(ports.manifest, options.classes, options.plateSearch);
  const wanted = wantedScores(options, models.textDetector !== undefined);
  const runs = countRuns(models, tiles);
  let done = 0;
  const onStep = (): void => onProgress(Math.min(1, ++done / runs));

  const found: Found[] = [];
  for (const entry of models.detectors) {
    found.push(...(await detect(pyramid, tiles, await ports.sessions.get(entry), wanted, onStep, signal)));
  }
  const merged = mergeDetections(found, pyramid.width, pyramid.height);
  const vehicles = merged.filter(({ objectClass }) => objectClass === 'vehicle');
  const plates = models.textDetector
    ? await findPlates(
        pyramid,
        tiles,
        await ports.sessions.get(models.textDetector),
        vehicles,
        wanted,
        onStep,
        signal,
      )
    : [];
  const all =
    plates.length > 0 ? mergeDetections([...found, ...plates], pyramid.width, pyramid.height) : merged;
  return all.filter(
    ({ objectClass, score }) =>
      options.classes.includes(objectClass) && score >= options.thresholds[objectClass],
  );
};
