import type { ObjectClass } from '../../domain/object-class';
import type { PlateSearch } from '../../domain/options';
import type { Manifest, ModelEntry } from '../../domain/manifest';
import { headOf, type Role } from '../heads/heads';

/** The models that some classes need. */
export interface ChosenModels {
  /** In the manifest's order, each once. One may be here for the vehicles alone that text is looked for on. */
  readonly detectors: readonly ModelEntry[];
  /** Finds text, of which plates are picked by shape and place; undefined where nobody asks for it. */
  readonly textDetector: ModelEntry | undefined;
  /** Tells which of that text is a plate, and finds plates that are not read as text; undefined with the detector. */
  readonly plateClassifier: ModelEntry | undefined;
  /** Outline objects: one that is told which for each class it knows, else those of persons, which are averaged. */
  readonly maskModels: readonly ModelEntry[];
  /** Whose features mask models read. */
  readonly featureModels: readonly ModelEntry[];
}

/**
 * Chooses the models for the classes that are wanted, and no others: what is not chosen is never loaded.
 *
 * @param search with `plates-and-text` plates are also looked for as text, as they are where the manifest has no plate detector
 * @param others classes that are looked for to find others by, where the manifest has a detector for them
 * @throws if the manifest has no model for one of them
 */
export function chooseModels(
  manifest: Manifest,
  classes: readonly ObjectClass[],
  search: PlateSearch = 'plates',
  others: readonly ObjectClass[] = [],
): ChosenModels {
  const detected = new Set<ObjectClass>(classes);
  const arePlatesDetected = entriesFor(manifest, 'detector', 'license-plate').length > 0;
  const isTextWanted = detected.has('license-plate') && (search === 'plates-and-text' || !arePlatesDetected);
  if (!arePlatesDetected) detected.delete('license-plate');
  // Text is a plate where it hangs on a vehicle, so it needs vehicles found, wanted or not.
  if (isTextWanted) detected.add('vehicle');
  const detectors = new Set([
    ...[...detected].map((objectClass) => requireOne(manifest, 'detector', objectClass)),
    ...others.flatMap((objectClass) => entriesFor(manifest, 'detector', objectClass).slice(0, 1)),
  ]);
  const maskModels = manifest.models.filter((entry) =>
    classes.some((each) => masksFor(manifest, each).includes(entry)),
  );
  return {
    detectors: manifest.models.filter((entry) => detectors.has(entry)),
    textDetector: isTextWanted ? requireOne(manifest, 'text-detector', 'license-plate') : undefined,
    plateClassifier: isTextWanted ? entriesFor(manifest, 'plate-classifier', 'license-plate')[0] : undefined,
    maskModels,
    featureModels: manifest.models.filter(({ id }) =>
      maskModels.some(({ features }) => features?.model === id),
    ),
  };
}

/** All chosen models, each once: what has to be loaded. */
export const allModels = ({
  detectors,
  textDetector,
  plateClassifier,
  maskModels,
  featureModels,
}: ChosenModels): readonly ModelEntry[] => [
  ...new Set([...detectors, ...featureModels]),
  ...(textDetector ? [textDetector] : []),
  ...(plateClassifier ? [plateClassifier] : []),
  ...maskModels,
];

const entriesFor = (manifest: Manifest, role: Role, objectClass: ObjectClass): readonly ModelEntry[] =>
  manifest.models.filter((entry) => headOf(entry.head).role === role && entry.classes.includes(objectClass));

const masksFor = (manifest: Manifest, objectClass: ObjectClass): readonly ModelEntry[] => {
  const prompted = entriesFor(manifest, 'prompted-segmenter', objectClass).slice(0, 1);
  return prompted.length > 0 ? prompted : entriesFor(manifest, 'segmenter', objectClass);
};

function requireOne(manifest: Manifest, role: Role, objectClass: ObjectClass): ModelEntry {
  const [entry] = entriesFor(manifest, role, objectClass);
  if (!entry) throw new Error(`the manifest has no ${role} for the class ${objectClass}`);
  return entry;
}
