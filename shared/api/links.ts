import type { Task } from '../tasks/task';
import { pathOf } from './routes';
import type { UploadResponse } from './schemas-upload';

/**
 * The answer to an image upload: where its results are.
 *
 * @param baseUrl without a trailing slash
 */
export const uploadResponse = ({ id, contentType }: Task, baseUrl: string): UploadResponse => ({
  content_type: contentType,
  id,
  metadata_url: baseUrl + pathOf('getMetadata', id),
  binary_mask_url: baseUrl + pathOf('getBinaryMask', id),
  instance_mask_url: baseUrl + pathOf('getInstanceMask', id),
  anonymised_url: baseUrl + pathOf('getAnonymised', id),
});
