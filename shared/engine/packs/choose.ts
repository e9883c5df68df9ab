import type { ObjectClass } from '../../catalogue/classes';
import type { ModelNeeds, PlateSearch, QualityPreset } from '../../domain/options';
import type { Manifest, ModelEntry } from '../../domain/manifest';
import { headOf, type Role } from '../heads/heads';

/** The models for a set of classes. */
export interface ChosenModels {
  /**
   * In the manifest's order, each once. A vehicle detector may be included only because plates are searched on
   * vehicles.
   */
  readonly detectors: readonly ModelEntry[];
  /** Detects text, which becomes plate proposals; undefined if not needed. */
  readonly textDetector: ModelEntry | undefined;
  /** Detects text that is to be hidden; undefined if that is not wanted, or a detector of the class is used. */
  readonly textClassDetector: ModelEntry | undefined;
  /**
   * Decides which text is a plate, and finds plates without text; undefined if a detector for plates is used instead.
   */
  readonly plateClassifier: ModelEntry | undefined;
  /**
   * Mask networks: for each class the first that takes prompts, otherwise all of the class, whose outputs are averaged.
   */
  readonly maskModels: readonly ModelEntry[];
  /** Models whose output features are the inputs of mask models. */
  readonly featureModels: readonly ModelEntry[];
}

/** The models that are for a quality preset, in the same order. */
const modelsFor = ({ models }: Manifest, preset: QualityPreset): Manifest => ({
  models: models.filter(({ presets }) => presets === undefined || presets.includes(preset)),
});

/**
 * Chooses the models for the wanted classes and the quality preset, and no others: other models are never loaded.
 *
 * @param all manifest; of its models for the preset, the first of a class is chosen
 * @param needs with plates `thorough`, or without a plate detector in the manifest, plates are also searched as text
 * @param others classes that are detected only to find the wanted ones, if the manifest has a detector for them
 * @throws if the manifest has no model for one of them
 */
export function chooseModels(
  all: Manifest,
  { classes, qualityPreset, plates = 'usual' }: ModelNeeds & { readonly plates?: PlateSearch },
  others: readonly ObjectClass[] = [],
): ChosenModels {
  const manifest = modelsFor(all, qualityPreset);
  const detected = new Set<ObjectClass>(classes);
  const arePlatesDetected = entriesFor(manifest, 'detector', 'license-plate').length > 0;
  const isTextWanted = detected.has('license-plate') && (plates === 'thorough' || !arePlatesDetected);
  if (!arePlatesDetected) detected.delete('license-plate');
  const isTextDetected = entriesFor(manifest, 'detector', 'text').length > 0;
  const isTextClassWanted = detected.has('text') && !isTextDetected;
  if (!isTextDetected) detected.delete('text');
  // Text on a vehicle may be its plate, so vehicles are detected even if they are not to be hidden.
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
    textClassDetector: isTextClassWanted ? requireOne(manifest, 'text-detector', 'text') : undefined,
    plateClassifier: isTextWanted ? entriesFor(manifest, 'plate-classifier', 'license-plate')[0] : undefined,
    maskModels,
    featureModels: manifest.models.filter(({ id }) =>
      maskModels.some(({ features }) => features?.model === id),
    ),
  };
}

/** All chosen models, each once: those that have to be loaded. */
export const allModels = ({
  detectors,
  textDetector,
  textClassDetector,
  plateClassifier,
  maskModels,
  featureModels,
}: ChosenModels): readonly ModelEntry[] => [
  ...new Set([...detectors, ...featureModels]),
  ...(textDetector ? [textDetector] : []),
  ...(textClassDetector && textClassDetector !== textDetector ? [textClassDetector] : []),
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
