import type { ModelInput } from '../../domain/manifest';
import { type Box, boxHeight, boxWidth, outerPixels, shorterSide, boxAround } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { detectAt, RUNS_AT_ONCE, type DetectorSearch } from '../detect/detect';
import { runAll } from '../runtime/in-parallel';
import { fitInside, fitLongSide, type Letterbox } from '../pixels/letterbox';
import { tileOver } from '../pixels/tile';
import type { TileDetection } from '../fusion/merge';

/**
 * Height of a head as a share of a person's box: minimum for a standing person, maximum for a person visible from the
 * chest up …
 */
const HEIGHT_SHARE = { min: 1 / 6, max: 0.55 } as const;
/** … and between them it is this share of the box's width. */
const HEIGHT_PER_WIDTH = 0.55;
/** Width of a head with hair as a multiple of its height, in profile. */
const WIDTH_PER_HEIGHT = 1;

/** The expected box of a person's head: at the top of the person's box, in the middle. */
export const headOf = (person: Box): Box => {
  const height = boxHeight(person);
  const headHeight = Math.min(
    HEIGHT_SHARE.max * height,
    Math.max(HEIGHT_SHARE.min * height, HEIGHT_PER_WIDTH * boxWidth(person)),
  );
  const headWidth = Math.min(boxWidth(person), WIDTH_PER_HEIGHT * headHeight);
  const middle = (person.x1 + person.x2) / 2;
  return {
    x1: middle - headWidth / 2,
    y1: person.y1,
    x2: middle + headWidth / 2,
    y2: person.y1 + headHeight,
  };
};

/** Margin around the expected head, as a share of its size: people lean, and boxes end at the hair. */
const MARGIN = 0.6;

/** The area in which a person's face may be: a square, which suits detectors; it may reach out of the image. */
export const headSurroundings = (person: Box): Box => {
  const head = headOf(person);
  const side = Math.max(boxWidth(head), boxHeight(head)) * (1 + 2 * MARGIN);
  const [x, y] = [(head.x1 + head.x2) / 2, (head.y1 + head.y2) / 2];
  return boxAround(x, y, side / 2, side / 2);
};

/** Whether a face is where the face of this person is expected. */
export const isFaceOf = (face: Box, person: Box): boolean => {
  const [x, y] = [(face.x1 + face.x2) / 2, (face.y1 + face.y2) / 2];
  const around = headSurroundings(person);
  return x >= person.x1 && x < person.x2 && y >= around.y1 && y < around.y2;
};

/** Side, in network px, to which the surroundings of a head are scaled: a face has about 100 px there. */
const PASS_PX = 256;
/** Minimum side of a head, in image px: a smaller one has no recognisable face. */
const MIN_HEAD_PX = 16;
/** Maximum number of persons, largest first: bounds the time for a crowd. */
const MAX_PASSES = 48;
/** Side of a face as a share of the window's side; a smaller or larger box is no face, or that of another person. */
const FACE_SHARE = { min: 0.12, max: 0.8 } as const;

/** Persons without a detected face whose head is large enough to be recognised; largest first. */
export const personsWithoutFace = (persons: readonly Detection[], faces: readonly Detection[]): Detection[] =>
  persons
    .filter(({ box }) => shorterSide(headOf(box)) >= MIN_HEAD_PX)
    .filter(({ box }) => !faces.some((face) => isFaceOf(face.box, box)))
    .sort((a, b) => shorterSide(b.box) - shorterSide(a.box));

const fitPass = (area: Box, input: ModelInput): Letterbox => {
  const tile = tileOver(outerPixels(area));
  return input.size ? fitInside(tile, ...input.size) : fitLongSide(tile, PASS_PX, input.multipleOf ?? 1);
};

/**
 * Runs the face detector again on the enlarged heads of persons without a face. This finds faces against the light and
 * faces turned aside, which score too low in the whole image.
 *
 * @param persons without a detected face
 * @param model a face detector
 * @returns candidates, not yet merged
 */
export const findFacesOf = async (
  persons: readonly Detection[],
  search: Omit<DetectorSearch, 'onStep'>,
): Promise<TileDetection[]> => {
  const passes = persons.slice(0, MAX_PASSES).map(({ box: person }) => async () => {
    const area = headSurroundings(person);
    const found = await detectAt(fitPass(area, search.model.entry.input), search);
    const isPlausible = ({ objectClass, box, cut }: TileDetection): boolean => {
      const share = Math.max(boxWidth(box), boxHeight(box)) / boxWidth(area);
      const isFace = objectClass === 'face' && !cut.x && !cut.y;
      return isFace && share >= FACE_SHARE.min && share <= FACE_SHARE.max && isFaceOf(box, person);
    };
    return found.filter(isPlausible);
  });
  return (await runAll(passes, RUNS_AT_ONCE)).flat();
};

/**
 * The heads of persons as faces, where no detector finds the face.
 *
 * @param min threshold of faces: scores are raised to it, so that heads are hidden whatever the threshold
 */
export const headsAsFaces = (persons: readonly Detection[], min: number): TileDetection[] =>
  persons.map(({ box, score }) => ({
    objectClass: 'face',
    score: Math.max(score, min),
    box: headOf(box),
    cut: { x: false, y: false },
  }));
