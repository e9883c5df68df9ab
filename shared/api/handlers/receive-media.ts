import { sniffImage, UnreadableFile } from '../../engine/formats/sniff';
import { sniffVideo, VIDEO_HEAD_BYTES } from '../../engine/formats/sniff-video';
import type { ImageFormat } from '../../ports/engine';
import type { ReceivedFile } from '../../ports/storage';
import { isVideoFormat, SOURCE_FORMATS, type SourceFormat } from '../../tasks/files/video-formats';
import { ApiError, errorOfFailure } from '../contract/errors';
import { sanitiseFilename } from '../http/filename';
import type { ApiRequest, UploadPart } from '../http/http';
import type { Limits } from '../../domain/limits';
import { quoted } from '../http/query';
import { FILE_PART } from '../contract/routes';
import type { ApiService } from './service';

/** An upload that can be worked on. */
interface ReceivedMedia {
  readonly file: ReceivedFile;
  readonly filename: string;
  readonly format: SourceFormat;
}

/** Form fields beside the file are no concern of ours; clients send `fileobject` without a file name, too. */
const isFile = ({ name, filename }: UploadPart): boolean => filename !== null || name === FILE_PART;

const onlyFile = (parts: readonly UploadPart[]): UploadPart => {
  const files = parts.filter(isFile);
  const [part] = files;
  if (!part) throw new ApiError('no_file');
  if (files.length > 1) throw new ApiError('several_files', files.length);
  if (part.name !== FILE_PART) throw new ApiError('wrong_part_name', quoted(part.name));
  return part;
};

const checkSize = (sizeBytes: number, { maxUploadBytes }: Limits): void => {
  if (sizeBytes === 0) throw new ApiError('empty_file');
  if (sizeBytes > maxUploadBytes) throw new ApiError('upload_too_large', maxUploadBytes);
};

const readImageFormat = (
  file: ReceivedFile,
  { settings: { limits }, inspections }: ApiService,
): Promise<ImageFormat> => {
  if (file.sizeBytes > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  return inspections.run(async () => sniffImage(await file.read(), limits).format, file.sizeBytes);
};

/** The first bytes of a video decide its format; the rest is checked when it is processed. */
const readFormat = async (file: ReceivedFile, service: ApiService): Promise<SourceFormat> => {
  try {
    const headBytes = Math.min(VIDEO_HEAD_BYTES, file.sizeBytes);
    const video = sniffVideo(await file.readPart(0, headBytes), service.tasks);
    return video ?? (await readImageFormat(file, service));
  } catch (error) {
    throw error instanceof UnreadableFile ? errorOfFailure(error.failure) : error;
  }
};

const defaultName = (format: SourceFormat): string =>
  `${isVideoFormat(format) ? 'video' : 'image'}.${SOURCE_FORMATS[format].extension}`;

/**
 * Receives an upload and recognises its format by its content; the client's file name and type are not used.
 *
 * Refused uploads are discarded, all parts of them.
 *
 * @throws ApiError 413, 422
 */
export const receiveMedia = async (request: ApiRequest, service: ApiService): Promise<ReceivedMedia> => {
  const parts = await request.receiveUpload();
  try {
    const { file, filename } = onlyFile(parts);
    for (const part of parts) if (part.file !== file) await part.file.discard();
    checkSize(file.sizeBytes, service.settings.limits);
    const format = await readFormat(file, service);
    return { file, filename: sanitiseFilename(filename, defaultName(format)), format };
  } catch (error) {
    for (const { file } of parts) await file.discard();
    throw error;
  }
};
