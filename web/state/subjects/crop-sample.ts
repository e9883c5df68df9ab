import { boxHeight, boxWidth, intersectionArea, type Box } from '#shared/domain/boxes';
import type { MediaItem } from '../media-item';
import { createCropSource, type CropSource } from '../uncertain/crop-source';
import { objectsOf } from '../wanted-edits';

/** A face of the item in view. */
export interface SelectedFace {
  /** In px of the upright image or frame. */
  readonly box: Box;
  /** Time of the frame in a video, in seconds; absent for images. */
  readonly atS?: number;
  /** Boxes of the other faces of the frame; absent for images, whose objects are known. */
  readonly others?: readonly Box[];
}

/** Margin around the face, as a share of its longer side: the detector needs the whole head. */
const MARGIN = 0.6;
/** Margin for display. */
const VIEW_MARGIN = 0.25;

const clamp = (value: number, max: number): number => Math.min(Math.max(0, value), max);

const regionAround = (
  { x1, y1, x2, y2 }: Box,
  { width, height }: { readonly width: number; readonly height: number },
  share: number,
): Box => {
  const margin = share * Math.max(x2 - x1, y2 - y1);
  return {
    x1: clamp(x1 - margin, width - 1),
    y1: clamp(y1 - margin, height - 1),
    x2: clamp(x2 + margin, width),
    y2: clamp(y2 + margin, height),
  };
};

type CroppedItem = Pick<MediaItem, 'id' | 'file'> & {
  readonly result: Pick<NonNullable<MediaItem['result']>, 'width' | 'height'>;
};

const cropOf = async (
  { id, file, result: { width, height } }: CroppedItem,
  { box, atS }: SelectedFace,
  share: number,
  source: CropSource,
): Promise<{
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  readonly region: Box;
}> => {
  const size = { width, height };
  const region = regionAround(box, size, share);
  const bitmap = await source.crop({ fileId: id, file, size, region, ...(atS !== undefined && { atS }) });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser provides no canvas.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { canvas, context, region };
};

/** A crop of a result, to show a visible face. @param item with the file of the result */
export const cropForView = async (
  item: CroppedItem,
  face: SelectedFace,
  displayable: (file: File) => Promise<Blob>,
): Promise<Blob> => {
  const source = createCropSource(displayable);
  try {
    return await (await cropOf(item, face, VIEW_MARGIN, source)).canvas.convertToBlob();
  } finally {
    source.close();
  }
};

/** Boxes of the other faces of an image or frame: a sample photo must show only one. */
const otherFaces = (item: MediaItem, { box: face, others }: SelectedFace): readonly Box[] =>
  (
    others ??
    objectsOf(item)
      .filter(({ objectClass }) => objectClass === 'face')
      .map(({ box }) => box)
  ).filter((box) => intersectionArea(box, face) === 0);

const cropSample = async (item: MediaItem, face: SelectedFace, source: CropSource): Promise<File> => {
  const { result } = item;
  if (!result) throw new Error('The file has no result yet.');
  const { canvas, context, region } = await cropOf({ ...item, result }, face, MARGIN, source);
  const scale = canvas.width / boxWidth(region);
  context.fillStyle = 'gray';
  for (const box of otherFaces(item, face)) {
    const [x, y] = [(box.x1 - region.x1) * scale, (box.y1 - region.y1) * scale];
    context.fillRect(x, y, boxWidth(box) * scale, boxHeight(box) * scale);
  }
  const name = item.file.name.replace(/\.[^.]*$/, '');
  return new File([await canvas.convertToBlob({ type: 'image/png' })], `${name}.png`, { type: 'image/png' });
};

/**
 * Sample photos of a face of an image or video: crops of the original as PNG, in which other faces are covered.
 *
 * @param faces the same face, in several frames of a video
 * @throws if the browser cannot show the file
 */
export const cropSamples = async (
  item: MediaItem,
  faces: readonly SelectedFace[],
  displayable: (file: File) => Promise<Blob>,
): Promise<readonly File[]> => {
  const source = createCropSource(displayable);
  try {
    // The source makes one crop after another.
    return await Promise.all(faces.map((face) => cropSample(item, face, source)));
  } finally {
    source.close();
  }
};
