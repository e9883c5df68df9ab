import { OBJECT_CLASSES, type ObjectClass } from '../../catalogue/classes';
import type { Labels } from '../../domain/manifest';
import { parsePack, type Pack } from './packs';
import type { HeadReading } from './recognise-head';

/** A model file that came without a description. */
export interface BareModel {
  /** The name on the user's disk; it may contain any character. */
  readonly fileName: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Characters of the hash in a pack's name: enough to distinguish files. */
const HASH_CHARACTERS = 12;
const NAME_CHARACTERS = 40;

/** `My Faces (2).onnx` → `my-faces-2`: ids of packs and names of files consist of letters, digits and hyphens. */
const plainName = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(/\.onnx$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '') || 'model';

/**
 * Writes a pack description for a model file that has none.
 *
 * @param labels our class for each of the network's own classes, if it has any
 * @throws {BadPack} if the result is not a valid pack description
 */
export const describeBareModel = (
  { fileName, sha256, bytes }: BareModel,
  reading: HeadReading,
  labels: Labels,
): Pack => {
  const id = `own-${plainName(fileName)}-${sha256.slice(0, HASH_CHARACTERS)}`;
  const named: ReadonlySet<ObjectClass | undefined> = new Set(reading.classes ?? Object.values(labels));
  const classes = OBJECT_CLASSES.filter((objectClass) => named.has(objectClass));
  return parsePack({
    id,
    description: `Read as ${reading.head}, as its file came.`,
    models: [
      {
        id,
        file: `${id}.onnx`,
        sha256,
        bytes,
        licence: 'not stated',
        source: {},
        head: reading.head,
        classes,
        ...(!reading.classes && { labels }),
        input: reading.input,
        outputs: [...reading.outputs],
        thresholds: Object.fromEntries(classes.map((objectClass) => [objectClass, reading.threshold])),
      },
    ],
  });
};
