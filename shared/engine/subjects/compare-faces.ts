import { shorterSide } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { MIN_FACE_SCORE, type Embedding, type ShownFace } from '../../domain/subject';
import { BEST_SAMPLES, MIN_LEAD, MIN_SHOWN_PX } from './subject-limits';

/** Cosine similarity of two unit vectors, −1..1. */
export const similarityOf = (a: Embedding, b: Embedding): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** Similarity of a face to a subject: the mean of its most similar samples. */
export const similarityTo = (face: Embedding, samples: readonly Embedding[]): number => {
  const best = samples
    .map((sample) => similarityOf(face, sample))
    .toSorted((a, b) => b - a)
    .slice(0, BEST_SAMPLES);
  return best.length === 0 ? -1 : best.reduce((sum, value) => sum + value, 0) / best.length;
};

/** Whether a detection is certain and large enough to be compared. */
export const isComparable = ({ objectClass, score, box }: Detection): boolean =>
  objectClass === 'face' && score >= MIN_FACE_SCORE && shorterSide(box) >= MIN_SHOWN_PX;

/**
 * The face of the subject among the faces of one image. A person is in an image once: if two faces are similar to the
 * subject, one of them is shown only if it is clearly more similar.
 *
 * @param threshold `showThreshold` of the subject
 */
export const chooseFace = (faces: readonly ShownFace[], threshold: number): ShownFace | undefined => {
  const [best, second] = faces.toSorted((a, b) => b.confidence - a.confidence);
  if (!best || best.confidence < threshold) return undefined;
  const isAmbiguous = second !== undefined && second.confidence > best.confidence - MIN_LEAD;
  return isAmbiguous && second.confidence >= threshold - MIN_LEAD ? undefined : best;
};
