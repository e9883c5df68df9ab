import { roundToFloat16 } from '../float16';
import { MIN_HALF_LENGTH } from './encode';
import type { OnnxConstant, OnnxGraph } from './graph';

const halved = (constant: OnnxConstant): OnnxConstant =>
  constant.kind === 'float32' && constant.data.length >= MIN_HALF_LENGTH
    ? { ...constant, data: roundToFloat16(constant.data) }
    : constant;

/** Halves the size of the file. `parity.test.ts` checks that the results stay nearly the same. */
export const withHalfWeights = (graph: OnnxGraph): OnnxGraph => ({
  ...graph,
  constants: new Map([...graph.constants].map(([name, constant]) => [name, halved(constant)])),
});
