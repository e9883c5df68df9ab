import { uprightSize } from '../../domain/image-header';
import type { GivenObject } from '../../domain/given';
import type { Size } from '../../domain/raster';
import type { Task } from '../../domain/task';
import type { VideoFiles } from '../../ports/engine';
import type { Storage } from '../../ports/storage';
import { givenKey } from '../files/task-files';
import { FRAMES_PER_FILE } from '../files/video-files';

/** Loaded only where it is needed: most files are searched. */
const readListed = async ({ id, kind, filename, header, options }: Task, storage: Storage) => {
  const { readGiven, givenObjects } = await import('../../engine/given/read-given');
  const bytes = await storage.read(givenKey(id));
  if (!bytes) throw new Error('The detections of a queued task are gone.');
  const wanted = { kind, filename, hasAreas: options.hides !== undefined };
  const listed = readGiven(bytes, { ...wanted, ...(header && { size: uprightSize(header) }) });
  return { listed, givenObjects };
};

/** The objects that are given for an image; undefined: it is searched. */
export const givenInImage = async (
  task: Task,
  storage: Storage,
): Promise<readonly GivenObject[] | undefined> => {
  if (!task.given) return undefined;
  const { listed, givenObjects } = await readListed(task, storage);
  return givenObjects(listed[0]!);
};

/** The objects that are given for the frames of a video, and the size of these; undefined: it is searched. */
export const givenInVideo = async (
  task: Task,
  storage: Storage,
): Promise<{ readonly size: Size; readonly given: NonNullable<VideoFiles['given']> } | undefined> => {
  if (!task.given) return undefined;
  const { listed, givenObjects } = await readListed(task, storage);
  const { width, height } = listed[0]!;
  return {
    size: { width, height },
    given: async (part) => {
      const start = part * FRAMES_PER_FILE;
      return start < listed.length
        ? listed.slice(start, start + FRAMES_PER_FILE).map(givenObjects)
        : undefined;
    },
  };
};
