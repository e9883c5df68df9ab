import type { ObjectClass } from '../../catalogue/classes';
import type { Labels } from '../../domain/manifest';
import { COCO_CLASSES } from '../heads/recognise-graph';

/** Maximum number of class names: more cannot be shown in a list. */
const MAX_NAMES = 1000;
const MAX_TEXT_CHARS = 100_000;
const MAX_NAME_CHARS = 60;

const CLASSES_BY_NAME: readonly (readonly [RegExp, ObjectClass])[] = [
  [/\b(licen[cs]e|number)[ -]?plates?\b|^(plates?|lp|anpr)$/, 'license-plate'],
  [/\bfaces?\b/, 'face'],
  [/^(persons?|people|pedestrians?|human|man|woman|child|rider|cyclist)$/, 'person'],
  [
    /^((motor)?(cars?|bikes?|cycles?)|bicycles?|bus(es)?|trucks?|trains?|trams?|vans?|vehicles?|lorry|automobile|scooter|trailer)$/,
    'vehicle',
  ],
];

/** Our class for the name of a network's class, or of its file; undefined if there is none. */
export const classNamed = (name: string): ObjectClass | undefined => {
  const words = name
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim();
  return CLASSES_BY_NAME.find(([pattern]) => pattern.test(words))?.[1];
};

/**
 * Reads the names of a network's classes as exporters of YOLO write them into the metadata: a Python dictionary, or
 * JSON.
 *
 * @returns an empty map if there are none
 */
export const classNames = (metadata: ReadonlyMap<string, string>): ReadonlyMap<number, string> => {
  const text = metadata.get('names') ?? '';
  const names = new Map<number, string>();
  if (text.length > MAX_TEXT_CHARS) return names;
  const entries = text.trimStart().startsWith('[')
    ? [...text.matchAll(/(["'])(.*?)\1/g)].map((match, i) => [i, match[2]] as const)
    : [...text.matchAll(/["']?(\d{1,4})["']?\s*:\s*(["'])(.*?)\2/g)].map(
        (match) => [Number(match[1]), match[3]] as const,
      );
  for (const [number, name = ''] of entries.slice(0, MAX_NAMES)) {
    names.set(number, name.slice(0, MAX_NAME_CHARS));
  }
  return names;
};

/** Our classes by COCO's class numbers: person; bicycle, car, motorcycle, bus, train, truck. */
export const COCO_LABELS: Labels = {
  0: 'person',
  1: 'vehicle',
  2: 'vehicle',
  3: 'vehicle',
  5: 'vehicle',
  6: 'vehicle',
  7: 'vehicle',
};

/** Our classes by COCO's category ids, which leave out some numbers of 0..90. */
export const COCO_ID_LABELS: Labels = {
  1: 'person',
  2: 'vehicle',
  3: 'vehicle',
  4: 'vehicle',
  6: 'vehicle',
  7: 'vehicle',
  8: 'vehicle',
};
const COCO_IDS = 91;

/**
 * Our classes by the names; without names those of COCO, if the network has as many classes or category ids; otherwise
 * none.
 */
export const recogniseLabels = (
  names: ReadonlyMap<number, string>,
  classCount: number | undefined,
): Labels => {
  if (names.size === 0) {
    if (classCount === COCO_IDS) return COCO_ID_LABELS;
    return classCount === COCO_CLASSES ? COCO_LABELS : {};
  }
  const labels: Record<string, ObjectClass> = {};
  for (const [number, name] of names) {
    const objectClass = classNamed(name);
    if (objectClass) labels[number] = objectClass;
  }
  return labels;
};
