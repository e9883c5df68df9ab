import { FORMATS, isVideoFormat, type Format } from '../../catalogue/formats';
import { recogniseFormat, requireSupport, unsupportedFile } from '../../engine/formats/recognise';
import type { ReceivedFile } from '../../ports/storage';
import { ApiError } from '../contract/errors';
import { sanitiseFilename } from '../http/filename';
import type { Asked, ReceiveOptions, UploadPart } from '../http/http';
import type { ReadMedia } from '../../tasks/accept/accept-upload';
import type { Limits } from '../../domain/limits';
import { quoted } from '../http/query';
import { FILE_PART } from '../contract/routes';
import type { ApiService } from './service';

/** An upload that can be worked on. */
type ReceivedMedia = ReadMedia & { readonly file: ReceivedFile; readonly filename: string };

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

/**
 * The format of a file and the header of an image, by its content: its first bytes, and for an image all of them.
 *
 * An image is read once here, because only its end proves that it is complete, and again when its task begins: a queued
 * task must not hold an image in memory. The rest of a video is checked when it is processed.
 *
 * @throws ApiError `image_too_large`
 * @throws UnreadableFile
 */
const readFormat = async (
  file: ReceivedFile,
  { tasks, engine, settings: { limits }, inspections }: ApiService,
): Promise<ReadMedia> => {
  const head = await file.head();
  const format = recogniseFormat(head);
  if (format && isVideoFormat(format)) {
    requireSupport(format, tasks);
    return { format };
  }
  if (file.sizeBytes > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  if (!format) throw unsupportedFile(head);
  return inspections.run(async () => {
    const header = await engine.inspectImage(file.source, limits);
    return { format: header.format, header };
  }, file.sizeBytes);
};

const defaultName = (format: Format): string =>
  `${isVideoFormat(format) ? 'video' : 'image'}.${FORMATS[format].extensions[0]}`;

/**
 * Receives an upload and recognises its format by its content; the client's file name and type are not used.
 *
 * Refused uploads are discarded, all parts of them.
 *
 * @throws ApiError 413, 422
 * @throws UnreadableFile
 */
export const receiveMedia = async (
  request: Pick<Asked, 'receiveUpload'>,
  service: ApiService,
  options: ReceiveOptions,
): Promise<ReceivedMedia> => {
  const parts = await request.receiveUpload(options);
  try {
    const { file, filename } = onlyFile(parts);
    for (const part of parts) if (part.file !== file) await part.file.discard();
    checkSize(file.sizeBytes, service.settings.limits);
    const media = await readFormat(file, service);
    return { ...media, file, filename: sanitiseFilename(filename, defaultName(media.format)) };
  } catch (error) {
    for (const { file } of parts) await file.discard();
    throw error;
  }
};
