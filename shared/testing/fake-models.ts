import type { HeadName, Manifest, ModelEntry, ModelInput, PlateSettings } from '../domain/manifest';
import type { ObjectClass } from '../catalogue/classes';
import type { LoadedModel, Sessions } from '../engine/inference/sessions';
import type { Tensor } from '../ports/inference';

/** Computes the outputs of a network from its input. */
export type FakeNetwork = (input: Tensor) => readonly Tensor[];

/** Settings of the default classifier. */
export const PLATE_SETTINGS: PlateSettings = {
  window: { widthPx: 128, heightPx: 64, stepPx: 16, enlargement: 1.8, otherWidths: [1.35, 0.8] },
  minScores: { proposed: 0.1, scanned: 0.3, rescored: 0.4 },
  plateScores: {
    images: { proposed: 0.77, scanned: 0.82, onVehicle: 0.9 },
    frames: { proposed: 0.7, scanned: 0.75, onVehicle: 0.72 },
  },
  fullScan: { longSides: { always: [480, 1440], 'without-plates': [480] }, maxEnlargement: 2 },
  textLongSides: [480],
};

/** A manifest entry of a model with unscaled pixel values at any size as its input. */
export const modelEntry = (
  id: string,
  head: HeadName,
  classes: readonly ObjectClass[],
  input: Partial<ModelInput> = {},
): ModelEntry => ({
  id,
  file: `${id}.onnx`,
  sha256: '',
  bytes: 100,
  licence: 'MIT',
  source: { registry: 'npm', package: id, version: '1.0.0', integrity: 'sha512-', path: id },
  head,
  classes,
  input: { name: 'image', mean: [0, 0, 0], std: [1, 1, 1], ...input },
  outputs: ['first', 'second'],
  thresholds: Object.fromEntries(classes.map((objectClass) => [objectClass, 0.5])),
  ...(head === 'plate-windows' && { plates: PLATE_SETTINGS }),
});

export const loadedModel = (entry: ModelEntry, network: FakeNetwork): LoadedModel => ({
  entry,
  run: async (makeInput) => network(makeInput()),
});

/** Sessions of fake networks, which need no loading. */
export const fakeSessions = (networks: Readonly<Record<string, FakeNetwork>>): Sessions => ({
  parallelRuns: 2,
  busyMs: () => 0,
  get: async (entry) => loadedModel(entry, networks[entry.id]!),
});

/** Number of CenterNet's class planes: COCO's person, bicycle, car … */
const PLANE_COUNT = 7;
const STRIDE = 4;
/** The fake detector detects pure red as a car and pure green as a person. */
const PERSON_PLANE = 0;
const CAR_PLANE = 2;
const LIT = 200;

interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The rectangle around all bright pixels of a plane; undefined if there are none. */
const litExtent = (plane: Float32Array, width: number): Extent | undefined => {
  const extent: Extent = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
  plane.forEach((value, i) => {
    if (value < LIT) return;
    const [x, y] = [i % width, Math.floor(i / width)];
    extent.left = Math.min(extent.left, x);
    extent.right = Math.max(extent.right, x + 1);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y + 1);
  });
  return extent.right < 0 ? undefined : extent;
};

/** A CenterNet that detects one car around all red pixels and one person around all green ones. */
export const colourCenterNet =
  (score: number): FakeNetwork =>
  ({ data, dims }) => {
    const [height, width] = [dims[2] as number, dims[3] as number];
    const [rows, columns] = [height / STRIDE, width / STRIDE];
    const cells = rows * columns;
    const scores = new Float32Array(PLANE_COUNT * cells);
    const sides = new Float32Array(4 * cells);
    const [red, green] = [0, 1].map((plane) =>
      data.subarray(plane * width * height, (plane + 1) * width * height),
    );
    for (const [plane, pixels] of [
      [CAR_PLANE, red!],
      [PERSON_PLANE, green!],
    ] as const) {
      const extent = litExtent(pixels, width);
      if (!extent) continue;
      const column = Math.floor((extent.left + extent.right) / 2 / STRIDE);
      const row = Math.floor((extent.top + extent.bottom) / 2 / STRIDE);
      const cell = row * columns + column;
      scores[plane * cells + cell] = score;
      const [x, y] = [column * STRIDE, row * STRIDE];
      const rightEdge = extent.right - 1; // the head adds one px
      [x - extent.left, y - extent.top, rightEdge - x, extent.bottom - y].forEach(
        (side, i) => (sides[i * cells + cell] = side),
      );
    }
    return [
      { data: scores, dims: [1, PLANE_COUNT, rows, columns] },
      { data: sides, dims: [1, 4, rows, columns] },
    ];
  };

/** Outputs of CenterFace for one square face around the middle of a cell. @param sidePx in network px */
export const oneFaceOf = (
  { rows, columns }: { readonly rows: number; readonly columns: number },
  cell: number,
  score: number,
  sidePx: number,
): readonly Tensor[] => {
  const cells = rows * columns;
  const heat = new Float32Array(cells);
  heat[cell] = score;
  const dims = [1, 2, rows, columns];
  return [
    { data: heat, dims: [1, 1, rows, columns] },
    { data: new Float32Array(2 * cells).fill(Math.log(sidePx / STRIDE)), dims },
    { data: new Float32Array(2 * cells), dims },
  ];
};

/** A text detector that detects all blue pixels as text. */
export const blueTextNet =
  (probability: number): FakeNetwork =>
  ({ data, dims }) => {
    const pixels = (dims[2] as number) * (dims[3] as number);
    const blue = data.subarray(2 * pixels, 3 * pixels);
    return [
      {
        data: Float32Array.from(blue, (value) => (value >= LIT ? probability : 0)),
        dims: [1, 1, dims[2]!, dims[3]!],
      },
    ];
  };

/** A plate classifier that recognises all blue pixels as one plate, in each window that contains its centre. */
export const bluePlateNet =
  (score: number): FakeNetwork =>
  ({ data, dims }) => {
    const [images, height, width] = [dims[0] as number, dims[2] as number, dims[3] as number];
    const { widthPx, heightPx, stepPx } = PLATE_SETTINGS.window;
    const rows = (height - heightPx) / stepPx + 1;
    const columns = (width - widthPx) / stepPx + 1;
    const cells = rows * columns;
    const plate = new Float32Array(images * cells);
    const corners = new Float32Array(images * 8 * cells);
    for (let n = 0; n < images; n++) {
      const blue = data.subarray((3 * n + 2) * width * height, (3 * n + 3) * width * height);
      const extent = litExtent(blue, width);
      for (let cell = 0; extent && cell < cells; cell++) {
        const x = widthPx / 2 + (cell % columns) * stepPx;
        const y = heightPx / 2 + Math.floor(cell / columns) * stepPx;
        const isSeen =
          Math.abs((extent.left + extent.right) / 2 - x) < widthPx / 2 &&
          Math.abs((extent.top + extent.bottom) / 2 - y) < heightPx / 2;
        plate[n * cells + cell] = isSeen ? score : 0;
        const { left, top, right, bottom } = extent;
        [left, top, right, top, right, bottom, left, bottom].forEach((at, i) => {
          corners[(8 * n + i) * cells + cell] = at - (i % 2 === 0 ? x : y);
        });
      }
    }
    return [
      { data: plate, dims: [images, 1, rows, columns] },
      { data: corners, dims: [images, 8, rows, columns] },
    ];
  };

/** A mask network with a constant probability, or with the green plane of its input as probabilities. */
export const maskNet =
  (probability: number | 'green'): FakeNetwork =>
  ({ data, dims }) => {
    const pixels = (dims[2] as number) * (dims[3] as number);
    const map =
      probability === 'green'
        ? Float32Array.from(data.subarray(pixels, 2 * pixels), (value) => value / 255)
        : new Float32Array(pixels).fill(probability);
    return [{ data: map, dims: [1, 1, dims[2]!, dims[3]!] }];
  };

/** A mask network at a quarter of its input's resolution: the mean of the green plane is the probability. */
export const outlineNet: FakeNetwork = ({ data, dims }) => {
  const [height, width] = [dims[2] as number, dims[3] as number];
  const [rows, columns] = [height / STRIDE, width / STRIDE];
  const map = new Float32Array(rows * columns);
  for (let cell = 0; cell < map.length; cell++) {
    const x = STRIDE * (cell % columns);
    const y = STRIDE * Math.floor(cell / columns);
    for (let i = 0; i < STRIDE * STRIDE; i++) {
      const at = (y + Math.floor(i / STRIDE)) * width + x + (i % STRIDE);
      map[cell] = (map[cell] as number) + (data[width * height + at] as number) / 255 / STRIDE ** 2;
    }
  }
  return [{ data: map, dims: [1, 1, rows, columns] }];
};

/** Manifest of the fake networks, which detect persons, vehicles and plates. */
export const FAKE_MANIFEST: Manifest = {
  models: [
    modelEntry('objects', 'centernet', ['person', 'vehicle'], {
      multipleOf: 32,
      longSides: [256],
      maxEnlargement: 1,
    }),
    modelEntry('text', 'text-regions', ['license-plate', 'text'], {
      multipleOf: 32,
      longSides: [256],
      maxEnlargement: 1,
    }),
    modelEntry('selfie', 'selfie-mask', ['person'], { size: [64, 64] }),
    modelEntry('pose', 'pose-mask', ['person'], { size: [64, 64] }),
  ],
};
