import { chooseModels } from './packs/choose';
import type { EngineMethods } from '../ports/engine';
import type { ImagePorts } from './anonymise-image';
import { createPyramid } from './pixels/pyramid';
import { segment } from './masks/segment';

/**
 * Makes masks of objects in an image that was searched before. Without a mask network for their classes nothing is
 * decoded.
 */
export const outlineObjects = async (
  [bytes, objects, header, signal]: Parameters<EngineMethods['outlineObjects']>,
  { codec, manifest, sessions }: ImagePorts,
): ReturnType<EngineMethods['outlineObjects']> => {
  signal.throwIfAborted();
  const wanted = objects.map(({ objectClass }) => objectClass);
  const models = chooseModels(manifest, wanted).maskModels.filter(({ classes }) =>
    classes.some((objectClass) => wanted.includes(objectClass)),
  );
  if (models.length === 0) return objects.map(() => null);
  const raster = await codec.decode(bytes, header);
  signal.throwIfAborted();
  const shapes = await segment(createPyramid(raster), objects, models, sessions, signal);
  return objects.map((object) => shapes.get(object) ?? null);
};
