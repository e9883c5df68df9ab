import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Manifest } from '../../domain/manifest';
import type { Embedding } from '../../domain/subject';
import type { LoadedModel, Sessions } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import { fitInside } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { similarityOf } from './compare-faces';
import { CROP_RISES, MIN_SYMMETRY } from './subject-limits';

/** Loads the recogniser, at the first face that is compared. @throws if the manifest has none */
export const openRecogniser = (manifest: Manifest, sessions: Sessions): Promise<LoadedModel> => {
  const entry = manifest.models.find(({ head }) => head === 'face-embedding');
  if (!entry) throw new Error('the manifest has no recogniser of faces');
  return sessions.get(entry);
};

/** A face and its mirror image. */
type Sides = readonly [seen: Embedding, mirrored: Embedding];

/** The square around a box, as wide as its longer side. @param rise moves it upwards, in its own sides */
const squareAround = (box: Box, rise: number) => {
  const side = Math.max(boxWidth(box), boxHeight(box));
  return {
    x: (box.x1 + box.x2 - side) / 2,
    y: (box.y1 + box.y2 - side) / 2 - rise * side,
    width: side,
    height: side,
    wraps: false,
  };
};

const embedSides = async (
  pyramid: Pyramid,
  square: ReturnType<typeof squareAround>,
  { entry: { input, id }, run }: LoadedModel,
): Promise<Sides> => {
  const [width, height] = input.size ?? [224, 224];
  const fit = fitInside(square, width, height);
  const embed = async (isMirrored: boolean): Promise<Embedding> => {
    const [output] = await run(() => toTensor(pyramid, { ...fit, isMirrored }, input));
    if (!output) throw new Error(`model ${id} returned no embedding`);
    return [...output.data];
  };
  return Promise.all([embed(false), embed(true)]);
};

const meanOf = (embeddings: readonly Embedding[]): Embedding => {
  const sum = embeddings.reduce((total, one) => total.map((value, i) => value + (one[i] ?? 0)));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
};

/**
 * Computes the embedding of a face. It is the mean of the face and its mirror image, because a face that looks to the left
 * should be similar to one that looks to the right, and of squares at several heights: the upper edge of the box depends
 * on hair and light.
 *
 * The face is not aligned by its landmarks: that did not improve the recogniser's results (`models/CARDS.md`).
 *
 * @returns undefined for a face that is seen from the side
 */
export const embedFace = async (
  pyramid: Pyramid,
  box: Box,
  recogniser: LoadedModel,
): Promise<Embedding | undefined> => {
  const centred = await embedSides(pyramid, squareAround(box, 0), recogniser);
  if (similarityOf(...centred) < MIN_SYMMETRY) return undefined;
  const higher = CROP_RISES.map((rise) => embedSides(pyramid, squareAround(box, rise), recogniser));
  return meanOf([centred, ...(await Promise.all(higher))].flat());
};
