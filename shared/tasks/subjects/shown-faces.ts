import type { NumberedDetection } from '../../domain/edits/edits';
import type { ShownFace, Subject } from '../../domain/subject';
import { chooseFace } from '../../engine/subjects/compare-faces';
import { showThreshold } from '../../engine/subjects/subject-limits';
import type { ImageHeader } from '../../domain/image-header';
import type { Engine } from '../../ports/engine';
import type { ByteSource } from '../../ports/video';

/** An image whose faces are compared. */
export interface ComparedImage {
  /** The upload. */
  readonly source: ByteSource;
  readonly found: readonly NumberedDetection[];
  readonly header: ImageHeader;
}

/** The face of a subject in an image, if one is similar enough. */
export const findShownFaces = async (
  { embeddings }: Subject,
  { source, found, header }: ComparedImage,
  engine: Pick<Engine, 'matchFaces'>,
  signal: AbortSignal,
): Promise<readonly ShownFace[]> => {
  const faces = found.filter(({ detection }) => detection.objectClass === 'face');
  const detections = faces.map(({ detection }) => detection);
  const similarities = await engine.matchFaces(source, detections, embeddings, header, signal);
  const compared = faces.map(({ id }, i) => ({ id, confidence: similarities[i] ?? -1 }));
  const face = chooseFace(compared, showThreshold(embeddings.length));
  return face ? [face] : [];
};
