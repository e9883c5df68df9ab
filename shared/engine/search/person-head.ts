import { boxHeight, boxWidth, type Box } from '../../domain/boxes';

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
  return { x1: x - side / 2, y1: y - side / 2, x2: x + side / 2, y2: y + side / 2 };
};

/** Whether a face is where the face of this person is expected. */
export const isFaceOf = (face: Box, person: Box): boolean => {
  const [x, y] = [(face.x1 + face.x2) / 2, (face.y1 + face.y2) / 2];
  const around = headSurroundings(person);
  return x >= person.x1 && x < person.x2 && y >= around.y1 && y < around.y2;
};
