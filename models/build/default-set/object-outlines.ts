import type { TrainedModel } from '../model-spec';
import { centernet } from './centernet';

/**
 * Mask of the object in a box, from CenterNet's features of the box with a margin of a fifth of its sides. Trained in
 * `models/train/object-outlines`.
 *
 * `outlines` [1, 1, height / 4, width / 4]: probability that a cell belongs to the object in the centre.
 */
export const objectOutlines: TrainedModel = {
  trained: {
    trained: 'models/train/object-outlines',
    dataLicences: ['CC-BY-4.0', 'MIT', 'CC0-1.0', 'CC-BY-2.0'],
  },
  entry: {
    id: 'object-outlines',
    licence: 'MIT (as this project)',
    head: 'object-outline',
    classes: ['person', 'vehicle'],
    input: {
      name: 'features',
      mean: centernet.entry.input.mean,
      std: centernet.entry.input.std,
      sizes: [
        [192, 96],
        [160, 128],
        [128, 128],
        [128, 160],
        [96, 192],
      ],
    },
    features: { model: centernet.entry.id, output: 'features' },
    outputs: ['outlines'],
    thresholds: { person: 0.095, vehicle: 0.075 },
  },
};
