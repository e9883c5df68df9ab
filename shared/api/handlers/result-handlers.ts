import type { ImageEncoding, ImageFormat, MaskKind } from '../../ports/engine';
import { FORMATS } from '../../catalogue/formats';
import { savedMasks } from '../../tasks/base/settings';
import { anonymisedName, maskName, metadataName } from '../http/download-names';
import { ApiError } from '../contract/errors';
import type { StoredResult } from '../../tasks/files/task-files';
import { fileOfResult, findImageTask, resultOf } from './find-task';
import { imageMetadata } from './metadata';
import type { AnonymisedQuery } from '../contract/schemas-results';
import type { Handler } from './service';

const DOWNLOAD_FORMATS = { JPEG: 'jpeg', PNG: 'png' } as const satisfies Record<string, ImageFormat>;

/** Encoders know whole steps only, the contract any number. */
export const wantedEncoding = (query: AnonymisedQuery, defaultFormat: ImageFormat): ImageEncoding => {
  const format = query.download === undefined ? defaultFormat : DOWNLOAD_FORMATS[query.download];
  return format === 'jpeg'
    ? { format, quality: Math.round(query.quality) }
    : { format, compressLevel: Math.round(query['compress-level']) };
};

/** `GET /v1/file/{id}/anonymised` */
export const getAnonymised: Handler<'getAnonymised'> = async ({ id, query, request, service }) => {
  const task = await findImageTask(service, id, 'video_not_image', 'getAnonymisedVideo');
  const encodingOf = (stored: StoredResult): ImageEncoding => wantedEncoding(query, stored.format);
  const { result, file } = await fileOfResult(
    service,
    task,
    () => service.tasks.result(task.id),
    async (now) => {
      if (!now.anonymised) throw new ApiError('nothing_anonymised');
      return service.tasks.anonymised(task.id, now, encodingOf(now), request.signal);
    },
  );
  const { format } = encodingOf(result);
  const { mediaType: contentType } = FORMATS[format];
  const name = anonymisedName(task.filename, contentType);
  return { download: { contentType, name, file, tag: result.tags.anonymised } };
};

const getMask =
  (kind: MaskKind): Handler<'getBinaryMask' | 'getInstanceMask'> =>
  async ({ id, query, request, service }) => {
    const task = await findImageTask(service, id, 'no_masks_of_video', 'getVideoMetadata');
    if (!savedMasks(service.settings).includes(kind)) throw new ApiError('mask_not_saved', kind);
    const { result, file } = await fileOfResult(
      service,
      task,
      () => service.tasks.result(task.id),
      async (now) => {
        if (!now.masks.includes(kind)) throw new ApiError('mask_not_saved', kind);
        return service.tasks.mask(task.id, now, kind, query['mask-scale'], request.signal);
      },
    );
    const { mediaType: contentType } = FORMATS.png;
    const name = maskName(task.filename, kind);
    return { download: { contentType, name, file, tag: result.tags[kind] } };
  };

/** `GET /v1/file/{id}/binary-mask` */
export const getBinaryMask: Handler<'getBinaryMask'> = getMask('binary');
/** `GET /v1/file/{id}/instance-mask` */
export const getInstanceMask: Handler<'getInstanceMask'> = getMask('instance');

/** `GET /v1/file/{id}/metadata` */
export const getMetadata: Handler<'getMetadata'> = async ({ id, service }) => {
  const task = await findImageTask(service, id, 'video_not_image', 'getVideoMetadata');
  // Uploads lie in the input folder, each in a folder named after its task.
  const origin = { filename: task.filename, folder: task.id };
  const value = imageMetadata(origin, await resultOf(service, task));
  return { value, saveAs: metadataName(task.filename) };
};
