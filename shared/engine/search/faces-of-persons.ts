import type { ModelInput } from '../../domain/manifest';
import { boxHeight, boxWidth, outerPixels, shorterSide, type Box } from '../../domain/boxes';
import { detectAt, RUNS_AT_ONCE } from '../detect/detect';
import type { WantedScores } from '../fusion/detector-scores';
import type { Detection } from '../../domain/detection';
import { runAll } from '../runtime/in-parallel';
import { fitInside, fitLongSide, type Letterbox } from '../pixels/letterbox';
import type { Found } from '../fusion/merge';
import { headOf, headSurroundings, isFaceOf } from './person-head';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';

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
  const { x1, y1, ...corner } = outerPixels(area);
  const tile = { x: x1, y: y1, width: corner.x2 - x1, height: corner.y2 - y1, wraps: false };
  return input.size ? fitInside(tile, ...input.size) : fitLongSide(tile, PASS_PX, input.multipleOf ?? 1);
};

/**
 * Runs the face detector again on the enlarged heads of persons without a face. This finds faces against the light and
 * faces turned aside, which score too low in the whole image.
 *
 * @param persons without a detected face
 * @param model that finds faces
 * @returns candidates, not yet merged
 */
export const findFacesOf = async (
  persons: readonly Detection[],
  pyramid: Pyramid,
  model: LoadedModel,
  wanted: WantedScores,
  signal: AbortSignal,
): Promise<Found[]> => {
  const passes = persons.slice(0, MAX_PASSES).map(({ box: person }) => async () => {
    const area = headSurroundings(person);
    const found = await detectAt(fitPass(area, model.entry.input), { pyramid, model, wanted, signal });
    const isPlausible = ({ objectClass, box, cut }: Found): boolean => {
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
export const headsAsFaces = (persons: readonly Detection[], min: number): Found[] =>
  persons.map(({ box, score }) => ({
    objectClass: 'face',
    score: Math.max(score, min),
    box: headOf(box),
    cut: { x: false, y: false },
  }));
