import type { Head, DetectionHead, RawDetection } from './head';
import { hasDims, inputOf, type Recognise } from './recognise-graph';
import type { Tensor } from '../../ports/inference';
import { boxAround } from '../../domain/boxes';

/** Network px per output cell. */
const STRIDE = 4;

/**
 * Decodes CenterFace (Xu et al. 2019, arXiv:1911.03599): faces as centre points.
 *
 * Outputs: heat map `[1, 1, h/4, w/4]`, 0..1; logarithm of height and width in cells `[1, 2, …]`; offset of the centre
 * from the cell's middle, down and to the right, in cells, `[1, 2, …]`. Every cell above the minimum becomes a box:
 * merging keeps one for each face.
 */
const decodeCenterFace: DetectionHead = (outputs, netWidth, netHeight, minimum) => {
  const min = minimum.face;
  if (min === undefined) return [];
  const [heat, scale, offset] = outputs.map(({ data }: Tensor) => data) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const columns = netWidth / STRIDE;
  const cells = columns * (netHeight / STRIDE);
  const found: RawDetection[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const score = heat[cell] as number;
    if (!(score >= min)) continue;
    const column = cell % columns;
    const row = (cell - column) / columns;
    const y = (row + (offset[cell] as number) + 0.5) * STRIDE;
    const x = (column + (offset[cells + cell] as number) + 0.5) * STRIDE;
    const halfHeight = (Math.exp(scale[cell] as number) * STRIDE) / 2;
    const halfWidth = (Math.exp(scale[cells + cell] as number) * STRIDE) / 2;
    found.push({ objectClass: 'face', score, box: boxAround(x, y, halfWidth, halfHeight) });
  }
  return found;
};

/** Planes of the three outputs: heat map, sizes, offsets. */
const CENTERFACE_PLANES = [1, 2, 2] as const;

const recogniseCenterFace: Recognise = ({ imageInput, outputs }) => {
  const input = inputOf(imageInput, 1, { maxEnlargement: 2 });
  const isInOrder = CENTERFACE_PLANES.every((planes, i) => {
    const output = outputs[i];
    return output !== undefined && hasDims(output, undefined, planes, undefined, undefined);
  });
  if (!input || !isInOrder || outputs.length > CENTERFACE_PLANES.length + 1) return undefined;
  return {
    input,
    outputs: outputs.slice(0, CENTERFACE_PLANES.length).map(({ name }) => name),
    classes: ['face'],
    threshold: 0.4,
  };
};

export const centerface: Head = {
  role: 'detector',
  decode: decodeCenterFace,
  recognise: recogniseCenterFace,
};
