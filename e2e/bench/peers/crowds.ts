import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledPicture } from '../../../models/eval/labelled-picture';

type Corners = readonly [x1: number, y1: number, x2: number, y2: number];

interface CrowdPhoto {
  readonly file: string;
  readonly faces: readonly Corners[];
  /** Boxes that may be faces. */
  readonly unsure: readonly Corners[];
}

const toFace = ([x1, y1, x2, y2]: Corners): LabelledPicture['truth'][number] => ({
  objectClass: 'face',
  box: { x1, y1, x2, y2 },
});

/** Photos of many faces, most of them small. @param folder holds them and `annotations.json` */
export const readCrowds = (folder: string): readonly LabelledPicture[] => {
  const photos = JSON.parse(readFileSync(join(folder, 'annotations.json'), 'utf8')) as readonly CrowdPhoto[];
  return photos.map(({ file, faces, unsure }) => ({
    path: join(folder, file),
    truth: faces.map(toFace),
    uncounted: unsure.map(toFace),
  }));
};
