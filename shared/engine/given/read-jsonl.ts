import {
  refuseLine,
  isArea,
  isCount,
  isFields,
  readObject,
  readSize,
  requireBounded,
  type ListedImage,
} from './given-file';

const valueOf = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return refuseLine(() => line, 'it is not valid JSON.');
  }
};

const readImage = (value: unknown, line: number, hasAreas: boolean): ListedImage => {
  const where = (): number => line;
  if (!isFields(value) || !Array.isArray(value['objects'])) {
    return refuseLine(where, 'it must be an object with `width`, `height` and a list of `objects`.');
  }
  const { file, frame, objects } = value;
  const size = readSize(value, where);
  if (file !== undefined && typeof file !== 'string') refuseLine(where, '`file` must be a name.');
  if (frame !== undefined && !isCount(frame)) refuseLine(where, '`frame` must be a whole number from 0.');
  const listed = objects.flatMap((one: unknown) => {
    if (!isFields(one)) return refuseLine(where, 'each of `objects` must be an object.');
    const { class: objectClass, score, bbox, track, mask, redaction } = one;
    if (isArea(objectClass, hasAreas, where)) return [];
    return [readObject({ objectClass, score, bbox, track, mask, redaction }, size, where)];
  });
  requireBounded(listed, where);
  return {
    ...size,
    where,
    ...(file !== undefined && { name: file as string }),
    ...(frame !== undefined && { frame: frame as number }),
    objects: listed,
  };
};

/**
 * Reads a file with one JSON object per line: an image, or a frame of a video.
 *
 * @param hasAreas see `isArea` @throws UnreadableFile
 */
export const readJsonl = (text: string, hasAreas: boolean): readonly ListedImage[] => {
  const images: ListedImage[] = [];
  let line = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const content = text.slice(start, end).trim();
    line += 1;
    if (content !== '') images.push(readImage(valueOf(content, line), line, hasAreas));
    start = end + 1;
  }
  return images;
};
