import { uprightSize } from '../../domain/image-header';
import type { Task } from '../../domain/task';
import type { GivenSource } from '../../ports/host-engine';
import type { Storage } from '../../ports/storage';
import { byteSourceOf } from '../base/digest';
import { givenKey } from '../files/task-files';

/** The file of detections of a task, for the engine; undefined: it is searched. */
export const givenOf = async (
  { id, kind, filename, header, options, given }: Task,
  storage: Storage,
): Promise<GivenSource | undefined> => {
  if (!given) return undefined;
  const file = await storage.open(givenKey(id));
  if (!file) throw new Error('The detections of a queued task are gone.');
  return {
    ...{ source: byteSourceOf(file), sha256: given.sha256, kind, filename },
    hasAreas: options.hides !== undefined,
    ...(header && { size: uprightSize(header) }),
  };
};
