import type { PackModel } from '#shared/engine/packs/packs';
import { tinyModel, type FixedOutput } from './tiny-models';

/** Input size of every network in this file, and the box of the one object that it always detects. */
export const SIDE = 64;
export const FOUND = { x1: 16, y1: 8, x2: 48, y2: 40 } as const;
const CENTRE = [32, 24] as const;
const LENGTH = 32;

const STRIDES = [8, 16, 32] as const;
const cellsAt = (stride: number): number => (SIDE / stride) ** 2;
const ALL_CELLS = STRIDES.reduce((sum, stride) => sum + cellsAt(stride), 0);
/** The cell of stride 8 whose corner is the object's centre. */
const CELL = (CENTRE[1] / 8) * (SIDE / 8) + CENTRE[0] / 8;

const fixedOutput = (
  name: string,
  dims: readonly number[],
  values: Readonly<Record<number, number>>,
  others = 0,
): FixedOutput => {
  const data = new Float32Array(dims.reduce((product, dim) => product * dim, 1)).fill(others);
  for (const [at, value] of Object.entries(values)) data[Number(at)] = value;
  return { name, dims, data };
};
/** Values of one cell (or prediction) in consecutive planes. */
const inPlanes = (values: readonly number[], cells: number, cell: number): Record<number, number> =>
  Object.fromEntries(values.map((value, plane) => [plane * cells + cell, value]));
const inRow = (values: readonly number[], row = 0): Record<number, number> =>
  Object.fromEntries(values.map((value, i) => [row * values.length + i, value]));

const SIDES_IN_CELLS = Math.log(LENGTH / 8);

const YUNET: readonly FixedOutput[] = (['cls', 'obj', 'bbox'] as const).flatMap((kind) =>
  STRIDES.map((stride) => {
    const isHere = stride === 8;
    const box = { [4 * CELL + 2]: SIDES_IN_CELLS, [4 * CELL + 3]: SIDES_IN_CELLS };
    const values = kind === 'bbox' ? box : { [CELL]: 0.9 };
    return fixedOutput(
      `${kind}_${stride}`,
      [1, cellsAt(stride), kind === 'bbox' ? 4 : 1],
      isHere ? values : {},
    );
  }),
);

const HEAT_CELLS = (SIDE / 4) ** 2;
const HEAT_CELL = (CENTRE[1] / 4) * (SIDE / 4) + CENTRE[0] / 4;
const centerFace = (name: string, planes: readonly number[]): FixedOutput =>
  fixedOutput(name, [1, planes.length, SIDE / 4, SIDE / 4], inPlanes(planes, HEAT_CELLS, HEAT_CELL));
/** The centre is half a cell up and left of its cell's middle. */
const CENTERFACE = [
  centerFace('537', [0.9]),
  centerFace('538', [Math.log(LENGTH / 4), Math.log(LENGTH / 4)]),
  centerFace('539', [-0.5, -0.5]),
];

const CLASSES = 3;
/** Centre in strides from the cell's corner, logarithms of the sides, objectness, classes. */
const YOLOX = [
  fixedOutput(
    'output',
    [1, ALL_CELLS, 5 + CLASSES],
    inRow([0, 0, SIDES_IN_CELLS, SIDES_IN_CELLS, 0.95, 0, 0, 0.95], CELL),
  ),
];
const PREDICTION = [...CENTRE, LENGTH, LENGTH, 0, 0, 0.9];
const BOX = [FOUND.x1, FOUND.y1, FOUND.x2, FOUND.y2];
const YOLO = [
  fixedOutput('output0', [1, PREDICTION.length, ALL_CELLS], inPlanes(PREDICTION, ALL_CELLS, CELL)),
];
const SIX = [fixedOutput('output0', [1, 1, 6], inRow([...BOX, 0.9, 2]))];
const SEVEN = [fixedOutput('output0', [1, 7], inRow([0, ...BOX, 2, 0.9]))];

const MASK_SIDE = SIDE / 4;
/** Two prototype masks: the left half of the image, and an empty one. */
const PROTOTYPES = fixedOutput(
  'output1',
  [1, 2, MASK_SIDE, MASK_SIDE],
  Object.fromEntries(
    Array.from({ length: MASK_SIDE ** 2 }, (_, i) => [i, i % MASK_SIDE < MASK_SIDE / 2 ? 1 : -1]),
  ),
);
const COEFFICIENTS = [9, 0];
const SEGMENTED = [...PREDICTION, ...COEFFICIENTS];
const YOLO_SEG = [
  fixedOutput('output0', [1, SEGMENTED.length, ALL_CELLS], inPlanes(SEGMENTED, ALL_CELLS, CELL)),
  PROTOTYPES,
];
const YOLO_SEG_ROWS = [
  fixedOutput('output0', [1, 1, 8], inRow([...BOX, 0.9, 2, ...COEFFICIENTS])),
  PROTOTYPES,
];

const QUERIES = 2;
/** The second of two predictions; logits of other classes and cells are low. */
const QUERY = 1;
const LOW = -9;
/** @param classes number of COCO's classes, or of its category ids: 2 is a vehicle in both */
const detrOf = (logits: string, classes: number, boxes: string): readonly FixedOutput[] => [
  fixedOutput(logits, [1, QUERIES, classes], { [QUERY * classes + 2]: 3 }, LOW),
  fixedOutput(
    boxes,
    [1, QUERIES, 4],
    inRow([CENTRE[0] / SIDE, CENTRE[1] / SIDE, LENGTH / SIDE, LENGTH / SIDE], QUERY),
  ),
];
const [RF_DETR_LABELS, RF_DETR_BOXES] = detrOf('labels', 91, 'dets') as [FixedOutput, FixedOutput];
/** The left half of the image. */
const RF_DETR_MASKS = fixedOutput(
  'masks',
  [1, QUERIES, MASK_SIDE, MASK_SIDE],
  Object.fromEntries(
    Array.from({ length: MASK_SIDE ** 2 }, (_, i) => [
      QUERY * MASK_SIDE ** 2 + i,
      i % MASK_SIDE < MASK_SIDE / 2 ? 9 : LOW,
    ]),
  ),
  LOW,
);

/** A network and its description in a pack. */
export interface TinyHead {
  readonly file: Uint8Array;
  readonly described: Partial<PackModel>;
}

const headOf = (
  head: PackModel['head'],
  objectClass: 'face' | 'vehicle',
  outputs: readonly FixedOutput[],
): TinyHead => ({
  file: tinyModel('images', [1, 3, SIDE, SIDE], outputs),
  described: {
    head,
    classes: [objectClass],
    labels: { 2: objectClass },
    input: { name: 'images', mean: [0, 0, 0], std: [1, 1, 1], size: [SIDE, SIDE], longSides: [SIDE] },
    outputs: outputs.map(({ name }) => name),
    thresholds: { [objectClass]: 0.5 },
  },
});

/** A network for each detection head of packs. */
export const TINY_HEADS = {
  YuNet: headOf('yunet', 'face', YUNET),
  CenterFace: headOf('centerface', 'face', CENTERFACE),
  YOLOX: headOf('yolox', 'vehicle', YOLOX),
  'YOLO without NMS': headOf('yolo', 'vehicle', YOLO),
  'YOLO with NMS, rows of 6': headOf('yolo-end-to-end', 'vehicle', SIX),
  'YOLO with NMS, rows of 7': headOf('yolo-end-to-end', 'vehicle', SEVEN),
  'YOLO with masks': headOf('yolo-seg', 'vehicle', YOLO_SEG),
  'YOLO with masks and NMS': headOf('yolo-seg-end-to-end', 'vehicle', YOLO_SEG_ROWS),
  'D-FINE': headOf('detr', 'vehicle', detrOf('logits', 80, 'pred_boxes')),
  'RF-DETR': headOf('detr', 'vehicle', [RF_DETR_LABELS, RF_DETR_BOXES]),
  'RF-DETR with masks': headOf('detr', 'vehicle', [RF_DETR_LABELS, RF_DETR_BOXES, RF_DETR_MASKS]),
} as const satisfies Readonly<Record<string, TinyHead>>;
