import { sniffImage, UnreadableFile } from '../pipeline/sniff';
import type { ImageFormat } from '../ports/engine';
import type { ReceivedFile } from '../ports/storage';
import { IMAGE_FORMATS } from '../tasks/image-formats';
import { ApiError } from './errors';
import { sanitiseFilename } from './filename';
import type { ApiRequest, UploadPart } from './http';
import type { Limits } from './limits';
import { quoted } from './query';
import { FILE_PART } from './routes';
import type { ApiService } from './service';

/** The one part of an upload. */
export /** An upload that is a picture. */
interface ReceivedImage {
  readonly file: ReceivedFile;
  readonly filename: string;
  readonly format: ImageFormat;
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

const checkSize = (sizeBytes: number, { maxUploadBytes, maxImageBytes }: Limits): void => {
  if (sizeBytes === 0) throw new ApiError('empty_file');
  if (sizeBytes > maxUploadBytes) throw new ApiError('upload_too_large', maxUploadBytes);
  if (sizeBytes > maxImageBytes) throw new ApiError('image_too_large', maxImageBytes);
};

const sniff = (bytes: Uint8Array, limits: Limits): ImageFormat => {
  try {
    return sniffImage(bytes, limits).format;
  } catch (error) {
    if (error instanceof UnreadableFile) throw new ApiError('unreadable_file', error.publicSentence);
    throw error;
  }
};

/**
 * Receives an upload and tells what it is by its content; the name and type that the client gave decide nothing.
 *
 * Refused uploads are discarded, all parts of them.
 *
 * @throws ApiError 413, 422
 */
export const receiveImage = async (
  request: ApiRequest,
  { settings: { limits }, inspections }: ApiService,
): Promise<ReceivedImage> => {
  const parts = await request.receiveUpload();
  try {
    const { file, filename } = onlyFile(parts);
    for (const part of parts) if (part.file !== file) await part.file.discard();
    checkSize(file.sizeBytes, limits);
    const format = await inspections.run(async () => sniff(await file.read(), limits));
    return { file, filename: sanitiseFilename(filename, `image.${IMAGE_FORMATS[format].extension}`), format };
  } catch (error) {
    for (const { file } of parts) await file.discard();
    throw error;
  }
};
