import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { moveBox, shorterSide, type Box } from '#shared/domain/boxes';
import type { LabelledImage } from './labelled-image';

/** Layout of the sheets that are composed of photos. */
interface SheetLayout {
  /** Size of a sheet, in px. */
  readonly width: number;
  readonly height: number;
  /** Scales at which each photo is placed. */
  readonly scales: readonly number[];
  /** Maximum longer side of a photo before scaling; larger photos are reduced to it. */
  readonly longestPhotoPx: number;
}

const BACKGROUND = '#888';
/** Faces then have 6 to 40 px, as in a crowd. */
const SMALL_FACES: SheetLayout = { width: 800, height: 600, scales: [0.33, 0.22], longestPhotoPx: 900 };
/** Half of the faces then have less than 15 px. */
const SMALL_CROWDS: SheetLayout = { width: 1024, height: 768, scales: [0.5, 0.33], longestPhotoPx: 1024 };
/** Minimum shorter side of a face, in px. Smaller faces count neither as found nor as false. */
const MIN_FACE_PX = 4;

interface Piece {
  readonly image: Buffer;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly Box[];
  readonly doubtful: readonly Box[];
}

const shrink = async (
  { path, truth, uncounted }: LabelledImage,
  scale: number,
  longestPhotoPx: number,
  isMirrored: boolean,
): Promise<Piece> => {
  const { width: from, height: high } = await sharp(path).metadata();
  const factor = scale * Math.min(1, longestPhotoPx / Math.max(from, high));
  const [width, height] = [Math.round(from * factor), Math.round(high * factor)];
  const image = await sharp(path).resize(width, height, { fit: 'fill' }).flop(isMirrored).png().toBuffer();
  const shrinkBox = ({ box: { x1, y1, x2, y2 } }: LabelledImage['truth'][number]): Box => ({
    x1: (isMirrored ? from - x2 : x1) * factor,
    x2: (isMirrored ? from - x1 : x2) * factor,
    y1: y1 * factor,
    y2: y2 * factor,
  });
  const [faces, doubtful] = [truth.map(shrinkBox), uncounted.map(shrinkBox)];
  const isTiny = (box: Box): boolean => shorterSide(box) < MIN_FACE_PX;
  return {
    image,
    width,
    height,
    faces: faces.filter((box) => !isTiny(box)),
    doubtful: [...doubtful, ...faces.filter(isTiny)],
  };
};

interface Placed extends Piece {
  readonly left: number;
  readonly top: number;
}

/** Places pieces in rows, and starts another sheet when one is full. */
const layOut = (pieces: readonly Piece[], sheet: SheetLayout): Placed[][] => {
  const sheets: Placed[][] = [[]];
  let [left, top, rowHeight] = [0, 0, 0];
  for (const piece of pieces) {
    if (left + piece.width > sheet.width) [left, top, rowHeight] = [0, top + rowHeight, 0];
    if (top + piece.height > sheet.height) {
      sheets.push([]);
      [left, top, rowHeight] = [0, 0, 0];
    }
    sheets.at(-1)?.push({ ...piece, left, top });
    left += piece.width;
    rowHeight = Math.max(rowHeight, piece.height);
  }
  return sheets;
};

const writeSheet = async (
  path: string,
  pieces: readonly Placed[],
  { width, height }: SheetLayout,
): Promise<LabelledImage> => {
  const layers = pieces.map(({ image, left, top }) => ({ input: image, left, top }));
  await sharp({ create: { width, height, background: BACKGROUND, channels: 3 } })
    .composite(layers)
    .png()
    .toFile(path);
  const placed = (boxesOf: (piece: Placed) => readonly Box[]): LabelledImage['truth'] =>
    pieces.flatMap((piece) =>
      boxesOf(piece).map((box) => ({
        objectClass: 'face' as const,
        box: moveBox(box, piece.left, piece.top),
      })),
    );
  return { path, truth: placed(({ faces }) => faces), uncounted: placed(({ doubtful }) => doubtful) };
};

const makeSheets = async (
  photos: readonly LabelledImage[],
  layout: SheetLayout,
): Promise<LabelledImage[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'veil-small-faces-'));
  const sheets: LabelledImage[] = [];
  for (const scale of layout.scales) {
    const pieces: Piece[] = [];
    for (const isMirrored of [false, true]) {
      for (const photo of photos) pieces.push(await shrink(photo, scale, layout.longestPhotoPx, isMirrored));
    }
    for (const placed of layOut(pieces, layout)) {
      sheets.push(await writeSheet(join(folder, `${scale}-${sheets.length}.png`), placed, layout));
    }
  }
  return sheets;
};

/**
 * Sheets full of small faces, composed of photos with large faces, unchanged and mirrored, at a third of their size and
 * less.
 */
export const sheetsOf = (photos: readonly LabelledImage[]): Promise<LabelledImage[]> =>
  makeSheets(photos, SMALL_FACES);

/** Sheets of crowd photos, whose faces are already small. */
export const crowdSheetsOf = (photos: readonly LabelledImage[]): Promise<LabelledImage[]> =>
  makeSheets(photos, SMALL_CROWDS);
