import { boxHeight, boxWidth, intersectionArea, type Box } from '#shared/domain/boxes';
import type { MediaItem } from '../media-item';
import { createCropSource } from '../uncertain/crop-source';
import { objectsOf } from '../wanted-edits';

/** A face of the item in view. */
export interface SelectedFace {
  /** In px of the upright image or frame. */
  readonly box: Box;
  /** Time of the frame in a video, in seconds; absent for images. */
  readonly atS?: number;
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
  displayable: (file: File) => Promise<Blob>,
): Promise<{
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  readonly region: Box;
}> => {
  const size = { width, height };
  const region = regionAround(box, size, share);
  const source = createCropSource(displayable);
  try {
    const bitmap = await source.crop({ fileId: id, file, size, region, ...(atS !== undefined && { atS }) });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser provides no canvas.');
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    return { canvas, context, region };
  } finally {
    source.close();
  }
};

/** A crop of a result, to show a visible face. @param item with the file of the result */
export const cropForView = async (
  item: CroppedItem,
  face: SelectedFace,
  displayable: (file: File) => Promise<Blob>,
): Promise<Blob> => (await cropOf(item, face, VIEW_MARGIN, displayable)).canvas.convertToBlob();

/** Boxes of the other faces of an image: a sample photo must show only one. */
const otherFaces = (picture: MediaItem, face: Box): readonly Box[] =>
  objectsOf(picture)
    .filter(({ objectClass, box }) => objectClass === 'face' && intersectionArea(box, face) === 0)
    .map(({ box }) => box);

/**
 * A sample photo of a face of an image or video: a crop of the original as PNG, in which other faces are covered.
 *
 * @throws if the browser cannot show the file
 */
export const cropSample = async (
  picture: MediaItem,
  face: SelectedFace,
  displayable: (file: File) => Promise<Blob>,
): Promise<File> => {
  const { result } = picture;
  if (!result) throw new Error('The file has no result yet.');
  const { canvas, context, region } = await cropOf({ ...picture, result }, face, MARGIN, displayable);
  const scale = canvas.width / boxWidth(region);
  context.fillStyle = 'gray';
  for (const box of otherFaces(picture, face.box)) {
    const [x, y] = [(box.x1 - region.x1) * scale, (box.y1 - region.y1) * scale];
    context.fillRect(x, y, boxWidth(box) * scale, boxHeight(box) * scale);
  }
  const name = picture.file.name.replace(/\.[^.]*$/, '');
  return new File([await canvas.convertToBlob({ type: 'image/png' })], `${name}.png`, { type: 'image/png' });
};
