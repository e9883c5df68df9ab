import { chooseModels } from './packs/choose';
import type { Engine } from '../ports/engine';
import type { ImagePorts } from './anonymise-image';
import { createPyramid } from './pixels/pyramid';
import { segment } from './masks/segment';
import { sniffImage } from './formats/sniff';

/** Outlines objects in a picture that was searched before. Where no model outlines their classes, nothing is decoded. */
export const outlineObjects = async (
  [bytes, objects, limits]: Parameters<NonNullable<Engine['outlineObjects']>>,
  { codec, manifest, sessions }: ImagePorts,
): ReturnType<NonNullable<Engine['outlineObjects']>> => {
  const wanted = objects.map(({ objectClass }) => objectClass);
  const models = chooseModels(manifest, wanted).maskModels.filter(({ classes }) =>
    classes.some((objectClass) => wanted.includes(objectClass)),
  );
  if (models.length === 0) return objects.map(() => null);
  const raster = await codec.decode(bytes, sniffImage(bytes, limits));
  const { signal } = new AbortController();
  const shapes = await segment(createPyramid(raster), objects, models, sessions, signal);
  return objects.map((object) => shapes.get(object) ?? null);
};
