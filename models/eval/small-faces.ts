import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Box } from '#shared/pipeline/boxes';
import type { LabelledPicture } from './labelled-picture';

/** Sides of a sheet, in px, and what is behind the photos. */
const SHEET = { width: 800, height: 600, background: '#888' } as const;
/** How large the photos are in it: their faces have 6 to 40 px then, as in a crowd. */
const SCALES = [0.33, 0.22] as const;
/** Longest side of a photo that is scaled so; larger ones are as large as if they had this. */
const LONGEST_PHOTO_PX = 900;

interface Piece {
  readonly image: Buffer;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly Box[];
}

const shrink = async (
  { path, truth }: LabelledPicture,
  scale: number,
  isMirrored: boolean,
): Promise<Piece> => {
  const { width: from = 1, height: high = 1 } = await sharp(path).metadata();
  const factor = scale * Math.min(1, LONGEST_PHOTO_PX / Math.max(from, high));
  const [width, height] = [Math.round(from * factor), Math.round(high * factor)];
  const image = await sharp(path).resize(width, height, { fit: 'fill' }).flop(isMirrored).png().toBuffer();
  const faces = truth.map(({ box: { x1, y1, x2, y2 } }) => ({
    x1: (isMirrored ? from - x2 : x1) * factor,
    x2: (isMirrored ? from - x1 : x2) * factor,
    y1: y1 * factor,
    y2: y2 * factor,
  }));
  return { image, width, height, faces };
};

interface Placed extends Piece {
  readonly left: number;
  readonly top: number;
}

/** Lays pieces in rows, and begins another sheet where one is full. */
const layOut = (pieces: readonly Piece[]): Placed[][] => {
  const sheets: Placed[][] = [[]];
  let [left, top, rowHeight] = [0, 0, 0];
  for (const piece of pieces) {
    if (left + piece.width > SHEET.width) [left, top, rowHeight] = [0, top + rowHeight, 0];
    if (top + piece.height > SHEET.height) {
      sheets.push([]);
      [left, top, rowHeight] = [0, 0, 0];
    }
    sheets.at(-1)?.push({ ...piece, left, top });
    left += piece.width;
    rowHeight = Math.max(rowHeight, piece.height);
  }
  return sheets;
};

const writeSheet = async (path: string, pieces: readonly Placed[]): Promise<LabelledPicture> => {
  const layers = pieces.map(({ image, left, top }) => ({ input: image, left, top }));
  await sharp({ create: { ...SHEET, channels: 3 } })
    .composite(layers)
    .png()
    .toFile(path);
  const truth = pieces.flatMap(({ faces, left, top }) =>
    faces.map(({ x1, y1, x2, y2 }) => ({
      objectClass: 'face' as const,
      box: { x1: x1 + left, y1: y1 + top, x2: x2 + left, y2: y2 + top },
    })),
  );
  return { path, truth, uncounted: [] };
};

/**
 * Pictures full of small faces, made of photos whose faces are large: as they are and mirrored, at a third of their
 * size and less.
 */
export const sheetsOf = async (photos: readonly LabelledPicture[]): Promise<LabelledPicture[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'veil-small-faces-'));
  const sheets: LabelledPicture[] = [];
  for (const scale of SCALES) {
    const pieces: Piece[] = [];
    for (const isMirrored of [false, true]) {
      for (const photo of photos) pieces.push(await shrink(photo, scale, isMirrored));
    }
    for (const placed of layOut(pieces)) {
      sheets.push(await writeSheet(join(folder, `${scale}-${sheets.length}.png`), placed));
    }
  }
  return sheets;
};
