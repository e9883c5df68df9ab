import { LARGE_PX, type IdentityOutcome, type Outcome } from './leaks';

/** A row of a Markdown table. */
export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
const sum = (identities: readonly IdentityOutcome[], count: (one: IdentityOutcome) => number): number =>
  identities.reduce((total, one) => total + count(one), 0);

const leakCells = (identities: readonly IdentityOutcome[]): string[] => {
  const leaked = identities.filter(({ leakedFrames }) => leakedFrames > 0).length;
  return [
    `${leaked} of ${identities.length} = ${percent(leaked, identities.length)}`,
    percent(
      sum(identities, (one) => one.leakedFrames),
      sum(identities, (one) => one.seenFrames),
    ),
    String(sum(identities, ({ flicker }) => flicker)),
    String(sum(identities, ({ switches }) => switches)),
  ];
};

/**
 * Leak rates of identities, by class and size. Flicker counts changes between visible and hidden.
 *
 * @param everHidden identities that detection alone hides in at least one frame: a tracker cannot help the others
 */
export const leakTable = (
  outcomes: Readonly<Record<string, Outcome>>,
  everHidden: ReadonlySet<number>,
): string[] => {
  const isLarge = ({ smallestPx }: IdentityOutcome): boolean => smallestPx > LARGE_PX;
  const groups: readonly (readonly [string, (one: IdentityOutcome, identity: number) => boolean])[] = [
    ['all', () => true],
    [`all > ${LARGE_PX} px`, isLarge],
    [
      `all > ${LARGE_PX} px, found in some frame`,
      (one, identity) => isLarge(one) && everHidden.has(identity),
    ],
    [`faces > ${LARGE_PX} px`, (one) => one.objectClass === 'face' && isLarge(one)],
    [`plates > ${LARGE_PX} px`, (one) => one.objectClass === 'license-plate' && isLarge(one)],
  ];
  const head = ['Objects', 'How', 'Identities that leak', 'Frames that leak', 'Flicker', 'Identity switches'];
  return [
    row(head),
    row(head.map(() => '---')),
    ...groups.flatMap(([name, isIn]) =>
      Object.entries(outcomes).map(([how, { identities }]) =>
        row([
          name,
          how,
          ...leakCells(
            [...identities]
              .filter(([identity, one]) => one.seenFrames > 0 && isIn(one, identity))
              .map(([, one]) => one),
          ),
        ]),
      ),
    ),
  ];
};

/** How much of the objects of each class is hidden, and how much else is hidden with them. */
export const pixelTable = (outcomes: Readonly<Record<string, Outcome>>): string[] => {
  const head = ['Class', 'How', 'Pixels of objects hidden', 'Hidden px next to objects, per px of objects'];
  return [
    row(head),
    row(head.map(() => '---')),
    ...(['face', 'license-plate'] as const).flatMap((objectClass) =>
      Object.entries(outcomes).map(([how, { pixels }]) => {
        const { seen, covered, nextTo } = pixels[objectClass];
        return row([objectClass, how, percent(covered, seen), (nextTo / seen).toFixed(2)]);
      }),
    ),
  ];
};
