import { boxArea, clipBox, intersectionArea, type Box } from '#shared/domain/boxes';
import { CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { ShownImage } from './box-geometry';

/** Places of a label at its box, the preferred one first. `-end`: aligned with the right side of the box. */
export const LABEL_PLACES = ['above', 'below', 'above-end', 'below-end', 'right', 'left'] as const;
type LabelPlace = (typeof LABEL_PLACES)[number];

/** Where a label stands, and whether it is visible only while its object is selected or under the pointer. */
export interface PlacedLabel {
  readonly place: LabelPlace;
  readonly isOnDemand: boolean;
}

export interface LabelledBox {
  readonly box: Box;
  readonly objectClass: ObjectClass;
  readonly text: string;
}

/** Size of a label in px of the screen (`boxes.module.css`). An estimate: texts differ by a few px. */
const HEIGHT_PX = 18;
const PADDING_PX = 12;
const PX_PER_CHARACTER = 6.3;

/** Above this share of labels without a free place, an image is a crowd. */
const CROWD_SHARE = 0.25;

const isChecked = ({ objectClass }: LabelledBox): boolean => CLASSES[objectClass].isDetail;

/** The corner of a label at which it starts. */
const cornerAt = (
  { x1, y1, x2, y2 }: Box,
  place: LabelPlace,
  width: number,
  height: number,
): readonly [x: number, y: number] => {
  switch (place) {
    case 'above':
      return [x1, y1 - height];
    case 'below':
      return [x1, y2];
    case 'above-end':
      return [x2 - width, y1 - height];
    case 'below-end':
      return [x2 - width, y2];
    case 'right':
      return [x2, y1];
    case 'left':
      return [x1 - width, y1];
  }
};

const labelBox = ({ box, text }: LabelledBox, place: LabelPlace, { pxPerScreenPx }: ShownImage): Box => {
  const width = (PADDING_PX + text.length * PX_PER_CHARACTER) * pxPerScreenPx;
  const height = HEIGHT_PX * pxPerScreenPx;
  const [x1, y1] = cornerAt(box, place, width, height);
  return { x1, y1, x2: x1 + width, y2: y1 + height };
};

const coveredArea = (label: Box, boxes: readonly Box[]): number =>
  boxes.reduce((sum, box) => sum + intersectionArea(label, box), 0);

/**
 * Places the labels of boxes, in the order of the list.
 *
 * A label is always visible if it covers no face, no license plate and no visible label in one of its places. All other
 * labels appear on demand, where they cover the least of faces and plates. Of equal places the one inside the image is
 * taken, then the first of `LABEL_PLACES`.
 *
 * In a crowd, where many labels have no free place, all of them appear on demand: between many boxes it is not clear to
 * which one a label belongs.
 */
export const placeLabels = (boxes: readonly LabelledBox[], image: ShownImage): readonly PlacedLabel[] => {
  const checked = boxes.filter(isChecked).map(({ box }) => box);
  const visible: Box[] = [];
  const labels = boxes.map((labelled) => {
    const candidates = LABEL_PLACES.map((place) => {
      const label = labelBox(labelled, place, image);
      const covered = coveredArea(label, checked);
      const outside = boxArea(label) - boxArea(clipBox(label, image.width, image.height));
      return { place, label, covered, outside, isFree: covered === 0 && coveredArea(label, visible) === 0 };
    });
    const free = candidates.filter(({ isFree }) => isFree);
    const isOnDemand = free.length === 0;
    const [best] = (isOnDemand ? candidates : free).toSorted(
      (a, b) => a.covered - b.covered || a.outside - b.outside,
    );
    if (!isOnDemand) visible.push(best!.label);
    return { place: best!.place, isOnDemand };
  });
  const isCrowd = boxes.length - visible.length > CROWD_SHARE * boxes.length;
  return isCrowd ? labels.map(({ place }) => ({ place, isOnDemand: true })) : labels;
};
