import type { ShownTrack } from '../../domain/subject';
import type { RenderFiles } from '../../ports/engine';
import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import { requireSubject } from './require-subject';

/**
 * The tracks of a subject in a video that was planned before.
 *
 * @param show id of the subject
 * @throws FailureError if there is no such subject (any more)
 */
export const findShownTracks = async (
  show: string,
  files: Pick<RenderFiles, 'source' | 'plans'>,
  { engine, subjects }: Pick<TaskPorts, 'engine' | 'subjects'>,
  { limits }: Pick<ServiceSettings, 'limits'>,
  signal: AbortSignal,
): Promise<readonly ShownTrack[]> => {
  const { embeddings: samples } = await requireSubject(subjects, show);
  return engine.matchTracks({ samples, limits }, files, signal);
};
