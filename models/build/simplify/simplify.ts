import type { OnnxGraph } from '../onnx/graph';
import { foldBatchNormalization } from './fold-batch-normalization';
import { foldFactorIntoWeights } from './factor-into-weights';
import { foldIntoNext } from './fold-into-next';
import { foldIntoPrevious, foldShiftIntoTransposed } from './fold-into-previous';
import { recogniseHardSwish } from './hard-swish';
import { nameOutputs } from './name-outputs';
import { rewriteAll } from './rewriter';

/** The order matters: folding a scale makes later patterns match. */
const RULES = [
  foldShiftIntoTransposed,
  foldBatchNormalization,
  foldIntoPrevious,
  recogniseHardSwish,
  foldIntoNext,
  foldFactorIntoWeights,
  nameOutputs,
];

/** Reduces the number of passes over the maps. The function stays the same except for rounding. */
export const simplify = (graph: OnnxGraph): OnnxGraph => RULES.reduce(rewriteAll, graph);
