import type { ImageOptions } from '../../domain/options';
import { tilingOf } from '../../domain/projection';
import type { VideoReader } from '../../ports/video';

/** The job with the tiling that the video asks for. @throws UnreadableFile */
export const withTiling = <Job extends { readonly options: ImageOptions }>(
  job: Job,
  { width, height, found }: Pick<VideoReader, 'width' | 'height' | 'found'>,
): Job => {
  const format = tilingOf(job.options.format, { width, height, projection: found?.projection });
  return { ...job, options: { ...job.options, format } };
};
