import evidence from '../../train/license-plates/evidence.json' with { type: 'json' };
import type { TrainedModel } from '../model-spec';

/**
 * License plates among what text and vehicles propose, trained in `models/train/license-plates`. It sees windows of
 * 128 × 64 px; of a larger input, one for each 16 px that it is larger.
 *
 * - `plate` [n, 1, height / 16 − 3, width / 16 − 7]: probability that a window shows a plate;
 * - `corners` [n, 8, …]: x and y of the upper left, upper right, lower right and lower left corner, in px of the input
 *   from the window's centre.
 */
export const plateWindows: TrainedModel = {
  trained: {
    trained: 'models/train/license-plates',
    dataLicences: ['MIT', 'CC0-1.0', 'CC-BY-2.0', 'CC-BY-4.0'],
  },
  entry: {
    id: 'plate-windows',
    licence: 'MIT (as this project)',
    head: 'plate-windows',
    classes: ['license-plate'],
    input: {
      name: 'picture',
      mean: [127.5, 127.5, 127.5],
      std: [127.5, 127.5, 127.5],
      multipleOf: 16,
      longSides: [352, 768],
      maxEnlargement: 3,
    },
    outputs: ['plate', 'corners'],
    // A probability, of what lies on a vehicle: from .47 to .51 the same is found and hidden by mistake on the validation photos.
    thresholds: { 'license-plate': 0.48 },
    evidence,
  },
};
