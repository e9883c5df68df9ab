import type { Task } from '../../domain/task';
import { pathOf } from './routes';
import type { UploadResponse, VideoUploadResponse } from './schemas-upload';

/**
 * The answer to an upload, with the links to its results.
 *
 * @param baseUrl base of the links, without a trailing slash
 */
export const uploadResponse = (
  { id, kind, contentType }: Task,
  baseUrl: string,
): UploadResponse | VideoUploadResponse =>
  kind === 'video'
    ? {
        content_type: contentType,
        id,
        anonymized_video: baseUrl + pathOf('getAnonymisedVideo', id),
        metadata_url: baseUrl + pathOf('getVideoMetadata', id),
      }
    : {
        content_type: contentType,
        id,
        metadata_url: baseUrl + pathOf('getMetadata', id),
        binary_mask_url: baseUrl + pathOf('getBinaryMask', id),
        instance_mask_url: baseUrl + pathOf('getInstanceMask', id),
        anonymised_url: baseUrl + pathOf('getAnonymised', id),
      };
