import { ApiError } from '#shared/api/contract/errors';

/** Reads a body that carries no file. @throws ApiError `body_too_large`, `upload_broken` */
export const receiveBody = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  const bytes = await request.arrayBuffer().catch(() => {
    throw new ApiError('upload_broken');
  });
  if (bytes.byteLength > maxBytes) throw new ApiError('body_too_large', maxBytes);
  return new Uint8Array(bytes);
};
