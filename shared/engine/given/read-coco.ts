import {
  refuseLine,
  isArea,
  isCount,
  isFields,
  readObject,
  readSize,
  requireBounded,
  type ListedImage,
  type ListedObject,
  type LineNumber,
} from './given-file';
import { lineOfElement, lineOfSyntaxError } from './json-lines';

type Fields = Readonly<Record<string, unknown>>;
type List = 'images' | 'annotations' | 'categories' | 'videos';

interface CocoFile {
  list(name: List): readonly Fields[];
  where(name: List, index: number): LineNumber;
}

const openCoco = (text: string): CocoFile => {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    return refuseLine(() => lineOfSyntaxError(text, error), 'it is not valid JSON.');
  }
  const where: CocoFile['where'] = (name, index) => () => lineOfElement(text, name, index);
  const members = isFields(root) ? root : {};
  return {
    where,
    list: (name) => {
      const list = members[name] ?? (name === 'videos' ? [] : undefined);
      if (!Array.isArray(list)) return refuseLine(() => 1, `the file must have the list \`${name}\`.`);
      const bad = list.findIndex((one) => !isFields(one));
      if (bad >= 0) refuseLine(() => 1, `each of \`${name}\` must be an object.`);
      return list as Fields[];
    },
  };
};

/** Elements by their numbers. @throws UnreadableFile where two have the same one */
const byId = (file: CocoFile, name: List): ReadonlyMap<unknown, Fields> => {
  const found = new Map<unknown, Fields>();
  for (const [index, one] of file.list(name).entries()) {
    if (!isCount(one['id'])) refuseLine(file.where(name, index), 'its `id` must be a whole number.');
    if (found.has(one['id'])) {
      refuseLine(file.where(name, index), `the \`id\` ${one['id'] as number} is used twice.`);
    }
    found.set(one['id'], one);
  }
  return found;
};

/** COCO's boxes are [x, y, width, height]. */
const cornersOf = (bbox: unknown): unknown => {
  if (!Array.isArray(bbox) || bbox.length !== 4) return bbox;
  const [x, y, width, height] = bbox.map(Number) as [number, number, number, number];
  return [x, y, x + width, y + height];
};

const annotationOf = (one: Fields, objectClass: unknown, image: Fields, where: LineNumber) => {
  const { score, bbox, track_id: track, segmentation: mask, redaction } = one;
  const claims = { objectClass, score, bbox: cornersOf(bbox), track, mask, redaction };
  return readObject(claims, readSize(image, where), where);
};

/** The file of an image; a frame has the name of its video, or its own up to `#`. */
const nameOf = ({ file_name: name, video_id: id }: Fields, videos: ReadonlyMap<unknown, Fields>): unknown => {
  if (id === undefined) return name;
  return videos.get(id)?.['name'] ?? (typeof name === 'string' ? name.replace(/#\d+$/, '') : name);
};

/**
 * Reads a file of COCO; frames of a video are images with `frame_id`.
 *
 * @param hasAreas see `isArea` @throws UnreadableFile
 */
export const readCoco = (text: string, hasAreas: boolean): readonly ListedImage[] => {
  const file = openCoco(text);
  const [images, categories, videos] = [byId(file, 'images'), byId(file, 'categories'), byId(file, 'videos')];
  const objects = new Map<unknown, ListedObject[]>([...images.keys()].map((id) => [id, []]));
  for (const [index, one] of file.list('annotations').entries()) {
    const where = file.where('annotations', index);
    const image = images.get(one['image_id']);
    if (!image) return refuseLine(where, 'its `image_id` must be the `id` of an image.');
    const category = categories.get(one['category_id']);
    const objectClass = category ? category['name'] : one['category_id'];
    if (isArea(objectClass, hasAreas, where)) continue;
    objects.get(one['image_id'])?.push(annotationOf(one, objectClass, image, where));
  }
  return [...images.values()].map((image, index) => {
    const where = file.where('images', index);
    const size = readSize(image, where);
    const { frame_id: frame } = image;
    const name = nameOf(image, videos);
    if (typeof name !== 'string') return refuseLine(where, '`file_name` must be a name.');
    if (frame !== undefined && !isCount(frame)) {
      refuseLine(where, '`frame_id` must be a whole number from 0.');
    }
    const own = objects.get(image['id']) ?? [];
    requireBounded(own, where);
    return { ...size, where, name, ...(frame !== undefined && { frame: frame as number }), objects: own };
  });
};
