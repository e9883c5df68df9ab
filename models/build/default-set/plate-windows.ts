import evidence from '../../train/license-plates/evidence.json' with { type: 'json' };
import type { TrainedModel } from '../model-spec';

/**
 * Classifier of plates among proposals from text and on vehicles, trained in `models/train/license-plates`. It reads
 * windows of 128 × 64 px; a larger input contains a window every 16 px.
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
    // Probability for proposals on a vehicle. All thresholds from .44 to .56 find the same plates in the validation
    // photos but for one, with four wrong boxes less.
    thresholds: { 'license-plate': 0.44 },
    evidence,
    plates: {
      window: { widthPx: 128, heightPx: 64, stepPx: 16, enlargement: 1.8, otherWidths: [1.35, 0.8] },
      minScores: { proposed: 0.1, scanned: 0.3, rescored: 0.4 },
      turned: { degrees: 28, minTilt: 3, from: 0.2, below: 0.5, minScore: 0.9 },
      plateScores: {
        // Of plates under 22 px in the training and validation photos, it finds six more, and as many others.
        images: { proposed: 0.7, scanned: 0.86, onVehicle: 0.95, small: { belowPx: 22, onVehicle: 0.8 } },
        // In generated clips, 90 % of the readings of true plates of this size score .9, and one false one in 170.
        frames: { proposed: 0.8, scanned: 0.75, onVehicle: 0.72, large: { fromShare: 0.01, score: 0.9 } },
      },
      // Frames: for plates of 35 to 400 px at a width of 1280 px. Images without another plate: for plates of 100 px
      // and more. A scan at 960 px, too, would take 50 ms of CPU time.
      fullScan: { longSides: { always: [480, 1440], 'without-plates': [480] }, maxEnlargement: 2 },
      textLongSides: [480],
    },
  },
};
