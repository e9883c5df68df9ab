import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clipBox, outerPixels, type Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import type { Shape } from '#shared/domain/plan';
import { fillShape, shapeBounds } from '#shared/engine/masks/fill-shape';

type LabelledClass = 'face' | 'license-plate';

/** Left, top, width and height in px. */
type Rectangle = readonly [x: number, y: number, width: number, height: number];
/** Upper left, upper right, lower right and lower left corner in px, x and y in turn. */
type Quad = readonly [number, number, number, number, number, number, number, number];

/** A face or plate in the frames in which it is visible. Keys are numbers of frames, from 0. */
export interface LabelledObject {
  readonly name: string;
  readonly class: LabelledClass;
  readonly boxes?: Readonly<Record<string, Rectangle>>;
  /** Instead of boxes, for tilted plates: a box would also count the car next to the plate. */
  readonly corners?: Readonly<Record<string, Quad>>;
}

/** Labels that a person made for some frames of a real clip. */
export interface LabelledClip extends Size {
  readonly file: string;
  readonly sha256: string;
  /** First and last labelled frame. All faces and legible plates between them are labelled. */
  readonly from: number;
  readonly to: number;
  readonly objects: readonly LabelledObject[];
  /** Places where it cannot be decided whether a plate is legible: hidden pixels there do not count. */
  readonly ignored: readonly { readonly boxes: Readonly<Record<string, Rectangle>> }[];
}

export const readLabels = (): readonly LabelledClip[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'labelled-clips.json'), 'utf8')) as LabelledClip[];

/** Whether a file is the one that was labelled. */
export const isLabelledFile = ({ sha256 }: LabelledClip, bytes: Uint8Array): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;

const boxOf = ([x, y, width, height]: Rectangle): Box => ({ x1: x, y1: y, x2: x + width, y2: y + height });

/** The pixels of a face are the ellipse in its box, as in generated clips; undefined without a label. */
const shapeOf = (object: LabelledObject, frame: number): Shape | undefined => {
  const quad = object.corners?.[frame];
  if (quad) {
    const [ax, ay, bx, by, cx, cy, dx, dy] = quad;
    return {
      kind: 'quad',
      corners: [
        [ax, ay],
        [bx, by],
        [cx, cy],
        [dx, dy],
      ],
    };
  }
  const rectangle = object.boxes?.[frame];
  return rectangle && { kind: object.class === 'face' ? 'ellipse' : 'box', box: boxOf(rectangle) };
};

/** The owner of pixels that do not count. */
export const IGNORED = 255;

const paint = (owners: Uint8Array, { width, height }: Size, shape: Shape, owner: number): void => {
  const box = outerPixels(clipBox(shapeBounds(shape), width, height));
  const columns = box.x2 - box.x1;
  const alpha = new Uint8Array(columns * (box.y2 - box.y1));
  fillShape(shape, box, alpha);
  alpha.forEach((covered, at) => {
    if (covered > 0) owners[(box.y1 + Math.floor(at / columns)) * width + box.x1 + (at % columns)] = owner;
  });
};

/** For each pixel of a frame 1 + the index of its object, `IGNORED`, or 0. Objects lie over ignored places. */
export const ownersIn = (clip: LabelledClip, frame: number): Uint8Array => {
  const owners = new Uint8Array(clip.width * clip.height);
  for (const { boxes } of clip.ignored) {
    const rectangle = boxes[frame];
    if (rectangle) paint(owners, clip, { kind: 'box', box: boxOf(rectangle) }, IGNORED);
  }
  clip.objects.forEach((object, index) => {
    const shape = shapeOf(object, frame);
    if (shape) paint(owners, clip, shape, index + 1);
  });
  return owners;
};
