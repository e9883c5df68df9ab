import type { Head, DetectionHead, RawDetection } from './head';
import { inputOf, SCALES, STRIDES, type Recognise } from './recognise-graph';
import type { Tensor } from '../../ports/inference';
import { boxAround } from '../../domain/boxes';

/**
 * Decodes YuNet (Wu et al. 2023, doi 10.1007/s11633-023-1423-y): one anchor-free prediction for each cell.
 *
 * Outputs: class probabilities `[1, cells, 1]` for the strides 8, 16, 32, then objectness in the same shapes, then
 * boxes `[1, cells, 4]`: centre from the cell's corner and the logarithm of the sides, all in strides.
 *
 * @see OpenCV's `FaceDetectorYN`, whose score is the square root of class probability × objectness
 */
const decodeYuNet: DetectionHead = (outputs, netWidth, netHeight, minimum) => {
  const min = minimum.face;
  if (min === undefined) return [];
  return STRIDES.flatMap((stride, level) => {
    const [classes, objects, boxes] = [0, 1, 2].map(
      (kind) => (outputs[STRIDES.length * kind + level] as Tensor).data,
    ) as [Float32Array, Float32Array, Float32Array];
    const columns = netWidth / stride;
    const cells = columns * (netHeight / stride);
    const found: RawDetection[] = [];
    for (let cell = 0; cell < cells; cell++) {
      const score = Math.sqrt((classes[cell] as number) * (objects[cell] as number));
      if (!(score >= min)) continue;
      const code = (i: number): number => boxes[4 * cell + i] as number;
      const x = ((cell % columns) + code(0)) * stride;
      const y = (Math.floor(cell / columns) + code(1)) * stride;
      const halfWidth = (Math.exp(code(2)) * stride) / 2;
      const halfHeight = (Math.exp(code(3)) * stride) / 2;
      const box = boxAround(x, y, halfWidth, halfHeight);
      found.push({ objectClass: 'face', score: Math.min(1, score), box });
    }
    return found;
  });
};

const YUNET_OUTPUTS = ['cls', 'obj', 'bbox'].flatMap((kind) => STRIDES.map((stride) => `${kind}_${stride}`));

const recogniseYuNet: Recognise = ({ imageInput, outputs }) => {
  const input = inputOf(imageInput, 1, { channels: 'bgr', maxEnlargement: 2 });
  const isNamed = YUNET_OUTPUTS.every((name) => outputs.some((output) => output.name === name));
  if (!input || !isNamed) return undefined;
  const longSides = [...(input.longSides ?? []), SCALES.longest].slice(0, 3);
  return {
    input: { ...input, longSides },
    outputs: YUNET_OUTPUTS,
    classes: ['face'],
    threshold: 0.8,
  };
};

export const yunet: Head = { role: 'detector', decode: decodeYuNet, recognise: recogniseYuNet };
