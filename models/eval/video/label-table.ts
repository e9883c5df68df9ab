import { percent, row } from './leak-table';
import type { ClipScore } from './score-labels';

const sumOf = <T>(list: readonly T[], count: (one: T) => number): number =>
  list.reduce((total, one) => total + count(one), 0);

/** A row for each object, and one for each class that has objects or hides something. */
export const labelTable = ({ objects, nextTo }: ClipScore): string[] => {
  const head = ['Object', 'Frames', 'Hidden to 90 %', 'Frames that leak', 'Least hidden'];
  const totals = [
    'Class',
    'Found in frames',
    'Objects that leak',
    'Hidden px next to objects, per px of objects',
  ];
  const classes = (['face', 'license-plate'] as const).filter(
    (objectClass) => nextTo[objectClass] > 0 || objects.some((object) => object.objectClass === objectClass),
  );
  return [
    row(head),
    row(head.map(() => '---')),
    ...objects.map(({ name, frames, found, leaked, leastHidden }) =>
      row([name, frames, found, leaked, percent(leastHidden, 1)]),
    ),
    '',
    row(totals),
    row(totals.map(() => '---')),
    ...classes.map((objectClass) => {
      const own = objects.filter((object) => object.objectClass === objectClass);
      const frames = sumOf(own, (object) => object.frames);
      const found = sumOf(own, (object) => object.found);
      const leaking = own.filter(({ leaked }) => leaked > 0).length;
      const pixels = sumOf(own, (object) => object.pixels);
      return row([
        objectClass,
        `${found} of ${frames} = ${percent(found, frames)}`,
        `${leaking} of ${own.length}`,
        pixels === 0 ? `${nextTo[objectClass]} px, no objects` : (nextTo[objectClass] / pixels).toFixed(2),
      ]);
    }),
  ];
};
