import type { OnnxGraph } from '../onnx/graph';
import { foldBatchNormalization } from './fold-batch-normalization';
import { foldIntoNext } from './fold-into-next';
import { foldIntoPrevious } from './fold-into-previous';
import { recogniseHardSwish } from './hard-swish';
import { rewriteAll } from './rewriter';

/** In this order: what is scaled into a convolution is no longer in the way of the pattern that follows. */
const RULES = [foldBatchNormalization, foldIntoPrevious, recogniseHardSwish, foldIntoNext];

/** Writes the same function with fewer passes over its maps; results differ by rounding alone. */
export const simplify = (graph: OnnxGraph): OnnxGraph => RULES.reduce(rewriteAll, graph);
