import { MASKED_CLASSES } from '../../catalogue/class-rules';
import type { Head } from './head';
import { dimsOf, type Recognise } from './recognise-graph';

const recogniseEfficientSam: Recognise = ({ imageInput, inputs, outputs }) => {
  const others = inputs.filter((input) => input !== imageInput);
  const points = others.find((input) => dimsOf(input).length === 4 && (dimsOf(input)[3] ?? 2) === 2);
  const labels = others.find((input) => dimsOf(input).length === 3);
  const masks = outputs.find(({ name }) => name.includes('mask'));
  if (others.length !== 2 || !points || !labels || !masks) return undefined;
  const [height = 640, width = 640] = dimsOf(imageInput).slice(2);
  return {
    input: {
      name: imageInput.name,
      mean: [0, 0, 0],
      std: [255, 255, 255],
      size: [width, height],
      prompts: { points: points.name, labels: labels.name },
    },
    outputs: [masks.name],
    classes: MASKED_CLASSES,
    threshold: 0.5,
  };
};

export const efficientSam: Head = { role: 'prompted-segmenter', recognise: recogniseEfficientSam };
