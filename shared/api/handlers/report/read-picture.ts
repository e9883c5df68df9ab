import type { Task } from '../../../domain/task';
import { factsOfBytes, readPart } from '../../../tasks/base/content-tag';
import type { Report } from '../../contract/schemas-report';
import { wantedEncoding } from '../result-handlers';
import type { ReportReading } from './read-report';
import type { ReportPicture } from './report-page';

/** Larger images are left out of the page, which is in memory as a whole. */
const MAX_PICTURE_BYTES = 32 * 1024 ** 2;

const isOfImage = ({ kind }: Task): boolean => kind === 'image';

/**
 * Reads the image that a report names as its result.
 *
 * @returns undefined for videos, for large images, and where there is no such result any more
 */
export const readPicture = async (
  { task, query, service, signal }: ReportReading,
  { result: reported }: Pick<Report, 'result'>,
): Promise<ReportPicture | undefined> => {
  if (!reported || !isOfImage(task)) return undefined;
  const result = await service.tasks.result(task.id);
  if (!result) return undefined;
  const encoding = wantedEncoding(query, result.format);
  const file = await service.tasks.anonymised(task.id, result, encoding, signal);
  if (!file) return undefined;
  const size = file instanceof Uint8Array ? file.byteLength : file.sizeBytes;
  if (size > MAX_PICTURE_BYTES) return undefined;
  const bytes = file instanceof Uint8Array ? file : await readPart(file, 0, size);
  const { sha256 } = await factsOfBytes(bytes, service.system);
  // Edits may have replaced the result meanwhile.
  if (reported.sha256 !== null && reported.sha256 !== sha256) return undefined;
  const { width, height, detections } = result.report;
  const hidden = detections.filter(({ isAnonymised }) => isAnonymised).map(({ box }) => box);
  return { contentType: reported.content_type, bytes, width, height, hidden };
};
