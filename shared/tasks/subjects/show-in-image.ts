import { showFaces } from '../../engine/subjects/show-faces';
import { reportPlan } from '../../engine/redact/report';
import type { ImageEncoding, ImageResult } from '../../ports/engine';
import type { Engine } from '../../ports/host-engine';
import type { ByteSource } from '../../ports/video';
import type { TaskPorts } from '../base/settings';
import type { ImageHeader } from '../../domain/image-header';
import { requireSubject } from './subjects';
import type { NumberedDetection } from '../../domain/edits/edits';
import type { ShownFace, Subject } from '../../domain/subject';
import { chooseFace } from '../../engine/subjects/compare-faces';
import { showThreshold } from '../../engine/subjects/subject-limits';

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
  const both = { faces: faces.map(({ detection }) => detection), samples: embeddings };
  const similarities = await engine.matchFaces(source, both, header, signal);
  const compared = faces.map(({ id }, i) => ({ id, confidence: similarities[i] ?? -1 }));
  const face = chooseFace(compared, showThreshold(embeddings.length));
  return face ? [face] : [];
};

/** The subject that stays visible in an image. */
export interface ShownInImage {
  /** Id of the subject. */
  readonly show: string;
  /** The upload. */
  readonly source: ByteSource;
  readonly header: ImageHeader;
  readonly keepMetadata: boolean;
  readonly encoding: ImageEncoding;
}

/**
 * Makes a result in which the face of a subject is visible, of the result in which all faces are hidden.
 *
 * @throws FailureError if there is no such subject (any more)
 */
export const showInImage = async (
  result: ImageResult,
  { show, source, header, keepMetadata, encoding }: ShownInImage,
  { engine, subjects }: Pick<TaskPorts, 'engine' | 'subjects'>,
  signal: AbortSignal,
): Promise<ImageResult> => {
  const { plan, report } = result;
  const subject = await requireSubject(subjects, show);
  const found = plan.regions.map(({ id, detection }) => ({ id, detection }));
  const [face] = await findShownFaces(subject, { source, found, header }, engine, signal);
  if (!face) return result;
  const regions = showFaces(plan.regions, ({ id }) => (id === face.id ? face.confidence : undefined));
  const shown = { ...plan, regions };
  const anonymised =
    result.anonymised &&
    (await engine.renderImage(
      {
        source,
        plan: shown,
        encoding,
        header,
        keepMetadata,
      },
      signal,
    ));
  // Masks are rendered from the plan when they are requested.
  return { ...result, plan: shown, anonymised, masks: {}, report: reportPlan(shown, report.durationS) };
};
