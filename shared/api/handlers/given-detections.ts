import type { VideoOptions } from '../../catalogue/derive-parameters';
import type { ImageOptions } from '../../domain/options';
import { uprightSize } from '../../domain/image-header';
import type { GivenFor } from '../../domain/given';
import type { ReceivedFile } from '../../ports/storage';
import type { GivenFile, ReadMedia } from '../../tasks/accept/accept-upload';
import { factsOfBytes } from '../../tasks/base/digest';
import { ApiError } from '../contract/errors';
import type { UploadPart } from '../http/http';
import type { ApiService } from './service';

/** An upload with detections. */
interface GivenUpload {
  readonly part: UploadPart;
  readonly media: ReadMedia & { readonly file: ReceivedFile; readonly filename: string };
  readonly options: ImageOptions;
  readonly video: VideoOptions;
  readonly signal: AbortSignal;
}

/** What the detections must be of. A video that is converted first tells its size and its frames only then. */
const wantedOf = async (
  { media, options, video, signal }: GivenUpload,
  { engine, settings: { limits } }: ApiService,
): Promise<GivenFor> => {
  const { file, filename, header } = media;
  const hasAreas = options.hides !== undefined;
  if (header) return { kind: 'image', filename, hasAreas, size: uprightSize(header) };
  const survey = await engine.surveyVideo(limits, { source: file.source }, signal);
  if (!survey) return { kind: 'video', filename, hasAreas };
  const { frameCount, width, height } = survey;
  return {
    ...{ kind: 'video', filename, hasAreas, size: { width, height } },
    ...(video.preview === undefined && { frameCount }),
  };
};

/**
 * Checks what others have detected in a file, before it becomes a task.
 *
 * @throws ApiError `detections_too_large`
 * @throws UnreadableFile
 */
export const checkGiven = async (upload: GivenUpload, service: ApiService): Promise<GivenFile> => {
  const { file } = upload.part;
  const { maxDetectionsBytes } = service.settings.limits;
  if (file.sizeBytes > maxDetectionsBytes) throw new ApiError('detections_too_large', maxDetectionsBytes);
  const wanted = await wantedOf(upload, service);
  return service.inspections.run(async () => {
    const bytes = await file.source.read(0, file.sizeBytes);
    const facts = await factsOfBytes(bytes, service.system);
    await service.engine.inspectGiven({ ...wanted, source: file.source, sha256: facts.sha256 });
    return { file, facts };
  }, file.sizeBytes);
};
