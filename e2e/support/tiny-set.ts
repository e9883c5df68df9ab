import type { Manifest } from '#shared/catalogue/manifest';
import { OBJECT_CLASSES } from '#shared/pipeline/object-class';
import { OnnxBuilder } from '../../models/build/onnx/builder';
import { encodeOnnx } from '../../models/build/onnx/encode';
import { sha256Of } from '../../models/packs/test/tiny-models';

/** Sides of the network's input. */
const SIDE = 64;
/** x1, y1, x2, y2 in px of the input, score, class. */
const FACES = [
  [8, 8, 20, 20, 0.97, 0],
  [24, 10, 36, 22, 0.96, 0],
  [10, 24, 22, 36, 0.91, 0],
] as const;
/** Sides, in px, of the part of the input whose contrast counts. */
const CORNER = 24;
/** Difference of the darkest and the brightest value, of 1, from which on faces are as sure as above. */
const FULL_CONTRAST = 0.1;

/** Finds the same three faces in each picture, but none in one of a single colour. */
const threeFaces = (): Uint8Array => {
  const builder = new OnnxBuilder();
  builder.input('images', [1, 3, SIDE, SIDE]);
  const all = { axes: [1, 2, 3], keepdims: 0 };
  // What a picture leaves free of the input is black: only the corner is sure to be of it.
  const corner = builder.node('Slice', [
    'images',
    builder.integers([0, 0]),
    builder.integers([CORNER, CORNER]),
    builder.integers([2, 3]),
  ]);
  const contrast = builder.node('Sub', [
    builder.node('ReduceMax', [corner], all),
    builder.node('ReduceMin', [corner], all),
  ]);
  const share = builder.node('Min', [
    builder.node('Mul', [contrast, builder.scalar(1 / FULL_CONTRAST)]),
    builder.scalar(1),
  ]);
  const rows = (of: (value: number, column: number) => number): string =>
    builder.floats(Float32Array.from(FACES.flatMap((row) => row.map(of))), [1, FACES.length, 6]);
  const scores = rows((value, column) => (column === 4 ? value : 0));
  const others = rows((value, column) => (column === 4 ? 0 : value));
  const scaled = builder.node('Mul', [scores, share]);
  builder.output('output0', builder.node('Add', [scaled, others]), [1, FACES.length, 6]);
  return encodeOnnx(builder.graph, 'three-faces');
};

/**
 * A set of models of one kilobyte, for tests of everything but detection: the default set takes seconds to load and
 * about a second for each picture.
 */
export const createTinySet = (): {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
} => {
  const bytes = threeFaces();
  const file = 'three-faces.onnx';
  const manifest: Manifest = {
    models: [
      {
        id: 'three-faces',
        file,
        sha256: sha256Of(bytes),
        bytes: bytes.length,
        licence: 'MIT (as this project)',
        source: {},
        head: 'yolo-end-to-end',
        classes: [...OBJECT_CLASSES],
        labels: Object.fromEntries(OBJECT_CLASSES.map((objectClass, label) => [label, objectClass])),
        input: {
          name: 'images',
          mean: [0, 0, 0],
          std: [255, 255, 255],
          size: [SIDE, SIDE],
          longSides: [SIDE],
        },
        outputs: ['output0'],
        thresholds: Object.fromEntries(OBJECT_CLASSES.map((objectClass) => [objectClass, 0.5])),
      },
    ],
  };
  return { manifest, files: new Map([[file, bytes]]) };
};
