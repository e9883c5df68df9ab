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

/** Side, in network px, to which the surroundings of a head are scaled: there a face has about 100 px. */
const PASS_PX = 256;
/** A smaller head, in image px, has no face that could be recognised. */
const MIN_HEAD_PX = 16;
/** So many of the largest persons are looked at again: it bounds the time that a crowd takes. */
const MAX_PASSES = 48;
/** A face has between these shares of the side of what is looked at; what is smaller or larger is none, or another's. */
const FACE_SHARE = { min: 0.12, max: 0.8 } as const;

/** Persons whose face was not found, though it is large enough to be recognised; largest first. */
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
 * Looks again for the faces of persons who have none: at their heads alone, enlarged. That finds faces against the
 * light, and those turned aside, that are nothing among all else in a picture.
 *
 * @param persons whose faces were not found
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
    const found = await detectAt(pyramid, fitPass(area, model.entry.input), model, wanted, signal);
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
 * The heads of persons, in place of faces that no detector finds.
 *
 * @param min score that what is hidden must have: they are to be hidden, however sure it is that there is a face
 */
export const headsAsFaces = (persons: readonly Detection[], min: number): Found[] =>
  persons.map(({ box, score }) => ({
    objectClass: 'face',
    score: Math.max(score, min),
    box: headOf(box),
    cut: { x: false, y: false },
  }));
