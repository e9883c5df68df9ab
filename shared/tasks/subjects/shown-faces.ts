import type { NumberedDetection } from '../../domain/edits/edits';
import type { ShownFace, Subject } from '../../domain/subject';
import { chooseFace } from '../../engine/subjects/compare-faces';
import { showThreshold } from '../../engine/subjects/subject-limits';
import type { Engine, PixelLimits } from '../../ports/engine';

/** An image whose faces are compared. */
export interface ComparedImage {
  /** Of the upload; the engine may take them away. */
  readonly bytes: Uint8Array;
  readonly found: readonly NumberedDetection[];
  readonly limits: PixelLimits;
}

/** The face of a subject in an image, if one is similar enough. */
export const findShownFaces = async (
  { embeddings }: Subject,
  { bytes, found, limits }: ComparedImage,
  engine: Pick<Engine, 'matchFaces'>,
  signal: AbortSignal,
): Promise<readonly ShownFace[]> => {
  const faces = found.filter(({ detection }) => detection.objectClass === 'face');
  const detections = faces.map(({ detection }) => detection);
  const similarities = await engine.matchFaces(bytes, detections, embeddings, limits, signal);
  const compared = faces.map(({ id }, i) => ({ id, confidence: similarities[i] ?? -1 }));
  const face = chooseFace(compared, showThreshold(embeddings.length));
  return face ? [face] : [];
};
