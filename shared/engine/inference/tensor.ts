import type { ModelInput } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import type { Letterbox } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { resample } from '../pixels/resample';
import { takeTensorData } from './tensor-memory';

/** Mirrors each row of all planes. */
const mirror = (data: Float32Array, width: number): void => {
  for (let start = 0; start < data.length; start += width) data.subarray(start, start + width).reverse();
};

/** @returns float32 `[1, 3, netHeight, netWidth]`, planes in the input's order, `(value − mean) / std` */
export const toTensor = (
  pyramid: Pyramid,
  fit: Letterbox,
  input: Pick<ModelInput, 'mean' | 'std' | 'channels' | 'padding'>,
): Tensor => {
  const data = takeTensorData(3 * fit.netWidth * fit.netHeight);
  resample(pyramid, fit, input, data);
  if (fit.isMirrored) mirror(data, fit.netWidth);
  return { data, dims: [1, 3, fit.netHeight, fit.netWidth] };
};
