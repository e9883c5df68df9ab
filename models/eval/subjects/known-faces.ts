import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Box } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { RGBA, type Raster } from '#shared/domain/raster';
import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '#shared/domain/options';
import { type Embedding, MIN_FACE_SCORE } from '#shared/domain/subject';
import { planImage } from './plan-image';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { createPyramid } from '#shared/engine/pixels/pyramid';
import { isComparable } from '#shared/engine/subjects/compare-faces';
import type { EngineMethods } from '#shared/ports/engine';
import { imageCodec } from '../../../server/adapters/image-codec';
import IDENTITIES from './identities.json' with { type: 'json' };

/** @returns undefined for a face that the product does not compare */
export type Embed = (raster: Raster, box: Box) => Promise<Embedding | undefined>;

/** A face in a photo. */
export interface KnownFace {
  readonly photo: string;
  /** The same letter for one person in several photos, labelled by hand; undefined for all others. */
  readonly person: string | undefined;
  readonly box: Box;
  readonly embedding: Embedding;
  /** Of the same pixels, mirrored and with other light: copies of a photo, not other photos of the person. */
  readonly copies: Readonly<Record<'mirrored' | 'relit', Embedding | undefined>>;
}

export const DATA = new URL('../../../../shared/data', import.meta.url).pathname;
const FOLDERS = ['faces/dlib/faces', 'faces/crowds'];

const photos = (): readonly string[] =>
  FOLDERS.filter((folder) => existsSync(join(DATA, folder))).flatMap((folder) =>
    readdirSync(join(DATA, folder))
      .filter((name) => /\.jpe?g$/i.test(name))
      .map((name) => join(folder, name)),
  );

/** The photos in which persons are labelled. */
export const LABELLED_PHOTOS = Object.keys(IDENTITIES).filter((photo) => existsSync(join(DATA, photo)));

/** The letter of the person whose face is in a box; undefined for unlabelled ones. */
export const personAt = (photo: string, { x1, y1, x2, y2 }: Box): string | undefined =>
  (IDENTITIES as Readonly<Record<string, readonly { person: string; at: number[] }[]>>)[photo]?.find(
    ({ at: [x = 0, y = 0] }) => x > x1 && x < x2 && y > y1 && y < y2,
  )?.person;

/** Light of a copy: factors of red, green and blue. */
const LIGHT = [0.7, 0.8, 1.1];

const changed = async (raster: Raster, change: (image: Sharp) => Sharp): Promise<Raster> => {
  const { width, height, data } = raster;
  const image = change(sharp(data, { raw: { width, height, channels: RGBA } }).removeAlpha());
  return { width, height, data: await image.ensureAlpha().raw().toBuffer() };
};

const mirroredBox = ({ x1, x2, ...rows }: Box, { width }: Raster): Box => ({
  ...rows,
  x1: width - x2,
  x2: width - x1,
});

const findFaces = async (engine: EngineMethods, bytes: Uint8Array): Promise<readonly Detection[]> => {
  const thresholds = { ...DEFAULT_THRESHOLDS, face: MIN_FACE_SCORE };
  const options = defaultImageOptions({ method: 'detect', classes: ['face'], thresholds });
  const { regions } = await planImage(engine, bytes, options);
  return regions.map(({ detection }) => detection).filter(isComparable);
};

/** All faces of the photos that the product would compare. */
export const readKnownFaces = async (engine: EngineMethods, embed: Embed): Promise<readonly KnownFace[]> => {
  const faces: KnownFace[] = [];
  for (const photo of photos()) {
    const bytes = await readFile(join(DATA, photo));
    const detections = await findFaces(engine, bytes);
    if (detections.length === 0) continue;
    const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
    const mirrored = await changed(raster, (image) => image.flop());
    const relit = await changed(raster, (image) => image.linear(LIGHT, [0, 0, 0]).gamma(1.6));
    for (const { box } of detections) {
      const embedding = await embed(raster, box);
      if (!embedding) continue;
      faces.push({
        photo,
        person: personAt(photo, box),
        box,
        embedding,
        copies: {
          mirrored: await embed(mirrored, mirroredBox(box, raster)),
          relit: await embed(relit, box),
        },
      });
    }
  }
  return faces;
};

export const makeEmbed =
  (
    embedFace: (pyramid: ReturnType<typeof createPyramid>, box: Box) => Promise<Embedding | undefined>,
  ): Embed =>
  (raster, box) =>
    embedFace(createPyramid(raster), box);
