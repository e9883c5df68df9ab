import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Manifest } from '../../domain/manifest';
import type { Embedding } from '../../domain/subject';
import type { LoadedModel, Sessions } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import { fitInside } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { similarityOf } from './compare-faces';
import { MIN_SYMMETRY } from './subject-limits';

/** Loads the recogniser, at the first face that is compared. @throws if the manifest has none */
export const openRecogniser = (manifest: Manifest, sessions: Sessions): Promise<LoadedModel> => {
  const entry = manifest.models.find(({ head }) => head === 'face-embedding');
  if (!entry) throw new Error('the manifest has no recogniser of faces');
  return sessions.get(entry);
};

/**
 * Computes the embedding of a face: the square around its box, as wide as the longer side. It is the mean of the face and
 * its mirror image, because a face that looks to the left should be similar to one that looks to the right.
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
  const side = Math.max(boxWidth(box), boxHeight(box));
  const tile = {
    x: (box.x1 + box.x2 - side) / 2,
    y: (box.y1 + box.y2 - side) / 2,
    width: side,
    height: side,
    wraps: false,
  };
  const { input, id } = recogniser.entry;
  const [width, height] = input.size ?? [224, 224];
  const fit = fitInside(tile, width, height);
  const embed = async (isMirrored: boolean): Promise<Embedding> => {
    const [output] = await recogniser.run(() => toTensor(pyramid, { ...fit, isMirrored }, input));
    if (!output) throw new Error(`model ${id} returned no embedding`);
    return [...output.data];
  };
  const [seen, mirrored] = await Promise.all([embed(false), embed(true)]);
  if (similarityOf(seen, mirrored) < MIN_SYMMETRY) return undefined;
  const sum = seen.map((value, i) => value + (mirrored[i] ?? 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
};
