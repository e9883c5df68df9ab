import { describe, expect, it } from 'vitest';
import { leavesShapesOpen, recogniseHead, type ProbedShapes } from './recognise-head';
import type { GraphValue, OnnxFacts } from '../heads/recognise-graph';

type Shape = readonly (number | undefined)[];
const value = (name: string, dims: Shape | undefined, elementType = 1): GraphValue => ({
  name,
  elementType,
  dims,
});
const graph = (image: Shape, outputs: Readonly<Record<string, Shape | undefined>>): OnnxFacts => ({
  inputs: [value('images', image)],
  outputs: Object.entries(outputs).map(([name, dims]) => value(name, dims)),
  metadata: new Map(),
});
const SQUARE: Shape = [1, 3, 640, 640];
const FREE: Shape = [undefined, 3, undefined, undefined];

const readingsOf = (facts: OnnxFacts, classCount?: number, seen?: ProbedShapes): readonly string[] => {
  const recognised = recogniseHead(facts, classCount, seen);
  if ('refusal' in recognised) return [`refused: ${recognised.refusal}`];
  return recognised.readings.map(
    (reading) => `${reading.head} ${reading.classes?.join('+') ?? reading.classCount ?? 'unsaid'}`,
  );
};

const YUNET = Object.fromEntries(
  [
    ['cls', 1],
    ['obj', 1],
    ['bbox', 4],
    ['kps', 10],
  ].flatMap(([kind, length]) =>
    [8, 16, 32].map((s) => [`${kind}_${s}`, [1, (640 / s) ** 2, Number(length)]]),
  ),
);

describe('a graph’s outputs', () => {
  it.each<[string, OnnxFacts, string]>([
    ['YuNet', graph(SQUARE, YUNET), 'yunet face'],
    [
      'CenterFace',
      graph([1, 3, undefined, undefined], {
        537: [1, 1, undefined, undefined],
        538: [1, 2, undefined, undefined],
        539: [1, 2, undefined, undefined],
        540: [1, 10, undefined, undefined],
      }),
      'centerface face',
    ],
    ['YOLOX', graph([1, 3, 416, 416], { output: [1, 3549, 85] }), 'yolox 80'],
    ['YOLOX of one class', graph([1, 3, 416, 416], { output: [1, 3549, 6] }), 'yolox 1'],
    ['YOLO', graph(SQUARE, { output0: [1, 84, 8400] }), 'yolo 80'],
    ['YOLO of free batch', graph([undefined, 3, 640, 640], { output0: [undefined, 5, 8400] }), 'yolo 1'],
    [
      'a YOLO that segments',
      graph(SQUARE, { output0: [1, 116, 8400], output1: [1, 32, 160, 160] }),
      'yolo-seg 80',
    ],
    [
      'a YOLO that segments, with NMS',
      graph(SQUARE, { output0: [1, 300, 38], output1: [1, 32, 160, 160] }),
      'yolo-seg-end-to-end unsaid',
    ],
    ['YOLO with NMS, rows of 7', graph(SQUARE, { output: [undefined, 7] }), 'yolo-end-to-end unsaid'],
    ['YOLO with NMS, rows of 6', graph(SQUARE, { output0: [1, 300, 6] }), 'yolo-end-to-end unsaid'],
    ['D-FINE', graph(SQUARE, { logits: [1, 300, 80], pred_boxes: [1, 300, 4] }), 'detr 80'],
    [
      'D-FINE of free batch and number of predictions',
      graph([undefined, 3, 640, 640], {
        logits: [undefined, undefined, 80],
        pred_boxes: [undefined, undefined, 4],
      }),
      'detr 80',
    ],
    ['RF-DETR', graph([1, 3, 384, 384], { dets: [1, 300, 4], labels: [1, 300, 91] }), 'detr 91'],
  ])('are recognised as %s', (_name, facts, expected) => {
    expect(readingsOf(facts)).toEqual([expected]);
  });

  const inputAndOutputsOf = (facts: OnnxFacts, seen?: ProbedShapes): unknown => {
    const recognised = recogniseHead(facts, undefined, seen);
    return 'readings' in recognised && recognised.readings.map(({ input, outputs }) => ({ input, outputs }));
  };

  it('of D-FINE determine an input of 640 px, stretched, of levels 0..1, if the file leaves its size open', () => {
    const seen: ProbedShapes = {
      width: 640,
      height: 640,
      outputs: new Map([
        ['logits', [1, 300, 80]],
        ['pred_boxes', [1, 300, 4]],
      ]),
    };
    const open = graph([undefined, undefined, undefined, undefined], {
      logits: [undefined, undefined, undefined],
      pred_boxes: undefined,
    });
    expect(inputAndOutputsOf(open, seen)).toMatchObject([
      {
        input: { mean: [0, 0, 0], std: [255, 255, 255], size: [640, 640], isStretched: true },
        outputs: ['logits', 'pred_boxes'],
      },
    ]);
    expect(leavesShapesOpen(open)).toBe(true);
  });

  it('of RF-DETR determine an input of the file’s size, stretched, with ImageNet’s mean and spread, and masks', () => {
    const outputs = { dets: [1, 100, 4], labels: [1, 100, 91], masks: [1, 100, 78, 78] };
    expect(inputAndOutputsOf(graph([1, 3, 312, 312], outputs))).toMatchObject([
      {
        input: {
          mean: [123.675, 116.28, 103.53],
          std: [58.395, 57.12, 57.375],
          size: [312, 312],
          isStretched: true,
        },
        outputs: ['labels', 'dets', 'masks'],
      },
    ]);
    expect(readingsOf(graph(FREE, outputs))).toEqual(['refused: unknown-outputs']);
  });

  it('of a prompted network are recognised by its inputs', () => {
    const facts: OnnxFacts = {
      inputs: [
        value('batched_images', FREE),
        value('batched_point_coords', [1, 1, undefined, 2]),
        value('batched_point_labels', [1, 1, undefined]),
      ],
      outputs: [
        value('output_masks', [1, 1, undefined, undefined, undefined]),
        value('iou_predictions', [1, 1, 3]),
      ],
      metadata: new Map(),
    };
    const recognised = recogniseHead(facts);
    expect(recognised).toMatchObject({
      readings: [
        {
          head: 'efficient-sam',
          input: {
            size: [640, 640],
            prompts: { points: 'batched_point_coords', labels: 'batched_point_labels' },
          },
          outputs: ['output_masks'],
        },
      ],
    });
  });

  it('of open sizes are distinguished by a test run', () => {
    const facts = graph(FREE, { output: [undefined, undefined, 6] });
    const seen = (rows: number): ProbedShapes => ({
      width: 640,
      height: 640,
      outputs: new Map([['output', [1, rows, 6]]]),
    });
    expect(leavesShapesOpen(facts)).toBe(true);
    expect(readingsOf(facts, undefined, seen(8400))).toEqual(['yolox 1']);
    expect(readingsOf(facts, undefined, seen(300))).toEqual(['yolo-end-to-end unsaid']);
    expect(readingsOf(facts)).toEqual(['yolox 1', 'yolo-end-to-end unsaid']);
  });

  it('have as many classes as the file names, if there are further planes after them', () => {
    expect(readingsOf(graph(SQUARE, { output0: [1, 56, 8400] }), 1)).toEqual(['yolo 1']);
    expect(readingsOf(graph(SQUARE, { output0: [1, 56, 8400] }), 80)).toEqual(['refused: unknown-outputs']);
  });

  it.each<[string, OnnxFacts, string]>([
    ['no image', graph([1, 10], { out: [1, 2] }), 'no-picture-input'],
    ['colours last', graph([1, 640, 640, 3], { out: [1, 84, 8400] }), 'no-picture-input'],
    ['four images at once', graph([4, 3, 640, 640], { out: [4, 84, 8400] }), 'no-picture-input'],
    ['a classifier', graph(SQUARE, { out: [1, 1000] }), 'unknown-outputs'],
    ['three anchors a cell', graph(SQUARE, { out: [1, 25200, 85] }), 'unknown-outputs'],
    ['rows and planes exchanged', graph(SQUARE, { out: [1, 8400, 84] }), 'unknown-outputs'],
    ['an image beyond all sense', graph([1, 3, 1e6, 1e6], { out: [1, 300, 6] }), 'unknown-outputs'],
    ['outputs of no shape', graph(SQUARE, { out: undefined }), 'unknown-outputs'],
    [
      'as many boxes as scores missing',
      graph(SQUARE, { logits: [1, 300, 80], pred_boxes: [1, 100, 4] }),
      'unknown-outputs',
    ],
    [
      'half-size numbers',
      { ...graph(SQUARE, { out: [1, 84, 8400] }), inputs: [value('images', SQUARE, 10)] },
      'wrong-number-type',
    ],
    [
      'whole numbers as its answer',
      { ...graph(SQUARE, {}), outputs: [value('out', [1, 84, 8400], 7)] },
      'wrong-number-type',
    ],
  ])('are refused for %s', (_name, facts, reason) => {
    expect(readingsOf(facts)).toEqual([`refused: ${reason}`]);
  });
});
