import type { ObjectClass } from '../../domain/object-class';
import type { Labels } from '../../domain/manifest';
import { COCO_CLASSES } from '../heads/recognise-graph';

/** More are no detector's that a person would look through. */
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

/** Which of our classes the name of a network's class, or of its file, stands for; undefined: none. */
export const classNamed = (name: string): ObjectClass | undefined => {
  const words = name
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim();
  return CLASSES_BY_NAME.find(([pattern]) => pattern.test(words))?.[1];
};

/**
 * The names of a network's classes, as exporters of YOLO write them beside the graph: a dictionary of Python, or JSON.
 *
 * @returns none where nothing of the kind is there
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

/** The numbers of COCO's classes that are ours: person; bicycle, car, motorcycle, bus, train, truck. */
export const COCO_LABELS: Labels = {
  0: 'person',
  1: 'vehicle',
  2: 'vehicle',
  3: 'vehicle',
  5: 'vehicle',
  6: 'vehicle',
  7: 'vehicle',
};

/** What the names stand for, or, without names, what so many classes usually are; none where nobody can tell. */
export const recogniseLabels = (
  names: ReadonlyMap<number, string>,
  classCount: number | undefined,
): Labels => {
  if (names.size === 0) return classCount === COCO_CLASSES ? COCO_LABELS : {};
  const labels: Record<string, ObjectClass> = {};
  for (const [number, name] of names) {
    const objectClass = classNamed(name);
    if (objectClass) labels[number] = objectClass;
  }
  return labels;
};
