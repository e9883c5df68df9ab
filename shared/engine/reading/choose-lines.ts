import { type Corner, type Detection, shorterEdge } from '../../domain/detection';
import { UnreadableFile } from '../../domain/failure';
import type { Manifest } from '../../domain/manifest';
import { readsText, type ImageOptions } from '../../domain/options';
import { RUNS_AT_ONCE } from '../detect/detect';
import type { Sessions } from '../inference/sessions';
import type { Pyramid } from '../pixels/pyramid';
import { runAll } from '../runtime/in-parallel';
import type { ReadLine } from './read-ctc';
import { openReader, readLine } from './read-lines';
import { textRules, wasRead } from './text-rules';

/** A line whose place is known in this image alone: not at the seam of a panorama, nor at its poles. */
const isReadable = ({ objectClass, corners, whole, atPole }: Detection): boolean =>
  objectClass === 'text' && corners !== undefined && whole === undefined && atPole === undefined;

/** A line that was read in one direction. */
interface PlacedLine {
  readonly detection: Detection;
  readonly line: ReadLine;
}

/** Distance up to which two pieces are one line, in heights; numbers are often printed in groups. */
const MAX_GAP = 3;
/** How far their middles may be from each other's line, in heights. */
const MAX_SHIFT = 0.4;

const middleOf = (points: readonly Corner[]): Corner => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
];

/** Whether a level or tilted line continues in another one on its right. */
const continues = (
  { detection: { corners: a } }: PlacedLine,
  { detection: { corners: b } }: PlacedLine,
): boolean => {
  if (!a || !b) return false;
  const [heightA, heightB] = [shorterEdge(a), shorterEdge(b)];
  const [from, to] = [middleOf([a[1], a[2]]), middleOf([b[0], b[3]])];
  const [along, end] = [middleOf([a[0], a[3]]), from];
  const length = Math.hypot(end[0] - along[0], end[1] - along[1]);
  const unit = [(end[0] - along[0]) / length, (end[1] - along[1]) / length] as const;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [gap, shift] = [dx * unit[0] + dy * unit[1], dx * unit[1] - dy * unit[0]];
  const height = Math.max(heightA, heightB);
  return (
    Math.abs(gap) <= MAX_GAP * height &&
    Math.abs(shift) <= MAX_SHIFT * height &&
    height <= 1.5 * Math.min(heightA, heightB)
  );
};

const joined = (a: ReadLine, b: ReadLine): ReadLine => ({
  characters: [...a.characters, { character: ' ', score: 1, other: '' }, ...b.characters],
  text: `${a.text} ${b.text}`,
  min: Math.min(a.min, b.min),
  mean: Math.min(a.mean, b.mean),
});

/** Lines that are hidden because of what they are together with their neighbours: a number that was found in pieces. */
const hiddenTogether = (
  lines: readonly PlacedLine[],
  stays: (line: ReadLine) => boolean,
): ReadonlySet<Detection> => {
  const hidden = new Set<Detection>();
  for (const first of lines) {
    const chain = [first];
    let text = first.line;
    for (;;) {
      const next = lines.find((one) => !chain.includes(one) && continues(chain.at(-1)!, one));
      if (!next) break;
      chain.push(next);
      text = joined(text, next.line);
      if (!stays(text)) for (const { detection } of chain) hidden.add(detection);
    }
  }
  return hidden;
};

/** Where text is read. */
interface Reading {
  readonly pyramid: Pyramid;
  readonly options: ImageOptions;
  readonly manifest: Manifest;
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
}

/**
 * Reads all lines of text, and chooses those that stay visible by `text-match` and `text-keep`. Lines that cannot be read
 * are hidden.
 *
 * @returns detections of text that is not to be hidden
 */
export const chooseLines = async (
  detections: readonly Detection[],
  { pyramid, options, manifest, sessions, signal }: Reading,
): Promise<ReadonlySet<Detection>> => {
  const rules = textRules(options);
  const texts = detections.filter(isReadable);
  if (texts.length === 0) return new Set();
  const reader = await openReader(manifest, sessions);
  const read = await runAll(
    texts.map((detection) => async (): Promise<PlacedLine[]> => {
      signal.throwIfAborted();
      const isHidden = (line: ReadLine): boolean => wasRead(line) && !rules.stays(line);
      const readings = await readLine(pyramid, detection.corners!, reader, isHidden);
      const known = readings.filter(wasRead).toSorted((a, b) => b.mean - a.mean);
      return known.map((line) => ({ detection, line }));
    }),
    RUNS_AT_ONCE,
  );
  const staying = read.flatMap((lines) =>
    lines.every(({ line }) => rules.stays(line)) ? lines.slice(0, 1) : [],
  );
  const hidden = hiddenTogether(staying, rules.stays);
  return new Set(staying.map(({ detection }) => detection).filter((one) => !hidden.has(one)));
};

/** @throws UnreadableFile for a video whose text would have to be read */
export const requireUnread = (options: ImageOptions): void => {
  if (!readsText(options)) return;
  throw new UnreadableFile(
    'Text is read in images only: anonymise a video without `text-match` and `text-keep`, which hides all of its text.',
  );
};
