import type { ImageEncoding, ImageFormat, MaskKind } from '../ports/engine';
import { IMAGE_FORMATS } from '../tasks/image-formats';
import { savedMasks } from '../tasks/settings';
import { ApiError } from './errors';
import { findTask, lookUpTask, orExplain, resultOf } from './find-task';
import { imageMetadata } from './metadata';
import { respondFile, respondJson } from './respond';
import { pathOf } from './routes';
import type { AnonymisedQuery } from './schemas-results';
import type { Handler } from './service';

const DOWNLOAD_FORMATS = { JPEG: 'jpeg', PNG: 'png' } as const satisfies Record<string, ImageFormat>;

/** Encoders know whole steps only, the contract any number. */
const wantedEncoding = (query: AnonymisedQuery, sourceFormat: ImageFormat): ImageEncoding => {
  const format = query.download === undefined ? sourceFormat : DOWNLOAD_FORMATS[query.download];
  return format === 'jpeg'
    ? { format, quality: Math.round(query.quality) }
    : { format, compressLevel: Math.round(query['compress-level']) };
};

/** `GET /v1/file/{id}/anonymised` */
export const getAnonymised: Handler<'getAnonymised'> = async ({ id, query, status, service }) => {
  const task = await findTask(service, id);
  const { anonymised, sourceFormat } = await resultOf(service, task);
  if (!anonymised) throw new ApiError('nothing_anonymised');
  const encoding = wantedEncoding(query, sourceFormat);
  const file = await orExplain(await service.tasks.anonymised(task.id, encoding), service, task.id);
  return respondFile(status, IMAGE_FORMATS[encoding.format].contentType, file);
};

const getMask =
  (kind: MaskKind): Handler<'getBinaryMask' | 'getInstanceMask'> =>
  async ({ id, query, status, service }) => {
    const task = await findTask(service, id);
    if (!savedMasks(service.settings).includes(kind)) throw new ApiError('mask_not_saved', kind);
    const { masks } = await resultOf(service, task);
    if (!masks.includes(kind)) throw new ApiError('mask_not_saved', kind);
    const file = await orExplain(
      await service.tasks.mask(task.id, kind, query['mask-scale']),
      service,
      task.id,
    );
    return respondFile(status, IMAGE_FORMATS.png.contentType, file);
  };

/** `GET /v1/file/{id}/binary-mask` */
export const getBinaryMask: Handler<'getBinaryMask'> = getMask('binary');
/** `GET /v1/file/{id}/instance-mask` */
export const getInstanceMask: Handler<'getInstanceMask'> = getMask('instance');

/** `GET /v1/file/{id}/metadata` */
export const getMetadata: Handler<'getMetadata'> = async ({ id, status, service }) => {
  const task = await findTask(service, id);
  // Uploads lie in the input folder, each in a folder named after its task.
  const origin = { filename: task.filename, folder: task.id };
  return respondJson(status, imageMetadata(origin, await resultOf(service, task)));
};

/** `GET /v1/file/{id}/video/anonymised` */
export const getAnonymisedVideo: Handler<'getAnonymisedVideo'> = async ({ id, service }) => {
  const task = await findTask(service, id);
  throw new ApiError('image_not_video', pathOf('getAnonymised', task.id));
};

/** `GET /v1/file/{id}/video/metadata` */
export const getVideoMetadata: Handler<'getVideoMetadata'> = async ({ id, service }) => {
  throw new ApiError((await lookUpTask(service, id)) ? 'video_metadata_of_image' : 'no_video_yet');
};
