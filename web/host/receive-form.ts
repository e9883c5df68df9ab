import { ApiError } from '#shared/api/contract/errors';
import type { UploadPart } from '#shared/api/http/http';
import type { BlobStorage } from '../adapters/storage';

const MULTIPART = /^multipart\/form-data/i;

const readForm = async (request: Request): Promise<FormData> => {
  if (!MULTIPART.test(request.headers.get('content-type') ?? '')) throw new ApiError('not_multipart');
  try {
    return await request.formData();
  } catch {
    throw new ApiError('upload_broken');
  }
};

/** Reads the parts of a multipart body. A text field is passed on like a file, so that dispatch sees every part. */
export const receiveForm = async (request: Request, storage: BlobStorage): Promise<readonly UploadPart[]> =>
  [...(await readForm(request))].map(([name, value]) => {
    const file = typeof value === 'string' ? new Blob([value], { type: 'text/plain' }) : value;
    const filename = typeof value === 'string' ? null : value.name;
    return { name, filename, contentType: file.type, file: storage.receive(file) };
  });
