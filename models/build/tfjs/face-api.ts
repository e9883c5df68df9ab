import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

/** Values of TensorFlow.js. */
export interface Tensor {
  sub(channels: readonly number[]): Tensor;
  div(channels: readonly number[]): Tensor;
  transpose(order: readonly number[]): Tensor;
  data(): Promise<Float32Array>;
  dispose(): void;
}
export interface GraphModel {
  execute(inputs: Tensor | Readonly<Record<string, Tensor>>, output: string): Tensor;
  execute(inputs: Tensor | Readonly<Record<string, Tensor>>, outputs: readonly string[]): Tensor | Tensor[];
}
interface TensorFlow {
  readonly io: { decodeWeights(bytes: ArrayBuffer, specs: readonly object[]): object };
  setWasmPaths(folder: string): void;
  setBackend(name: 'wasm'): Promise<boolean>;
  tensor3d(values: Uint8Array, shape: readonly number[], type: 'int32'): Tensor;
  tensor4d(values: Uint8Array | Float32Array, shape: readonly number[], type: 'float32'): Tensor;
  tidy<T extends Tensor | Tensor[]>(run: () => T): T;
  loadGraphModel(handler: { load(): Promise<object> }): Promise<GraphModel>;
}

/** The used parts of the package `@vladmandic/face-api`. Its own types are those of TensorFlow.js, 270 MB installed. */
export interface FaceApi {
  readonly tf: TensorFlow;
  readonly env: { setEnv(classes: Readonly<Record<string, unknown>>): void };
  readonly nets: {
    readonly ssdMobilenetv1: { loadFromWeightMap(weights: object): void };
    readonly faceRecognitionNet: {
      loadFromWeightMap(weights: object): void;
      computeFaceDescriptor(picture: Tensor): Promise<Float32Array>;
    };
  };
  readonly SsdMobilenetv1Options: new (options: { readonly minConfidence: number }) => object;
  detectAllFaces(picture: Tensor, options: object): Promise<readonly unknown[]>;
}

const require = createRequire(import.meta.url);

/** All that the bundle uses of a browser. It looks for `window` and `document`, and not for their contents. */
const browser = (): object => {
  const window = {
    ...{ ArrayBuffer, Float32Array, Int32Array, Uint8Array, Uint8ClampedArray },
    ...{ TextDecoder, TextEncoder, WebAssembly, atob, performance, setTimeout, clearTimeout },
    document: {},
    fetch: (path: string) =>
      Promise.resolve(new Response(readFileSync(path), { headers: { 'content-type': 'application/wasm' } })),
  };
  return Object.assign(window, { window });
};

class Nothing {}

const load = async (): Promise<FaceApi> => {
  const bundle = require.resolve('@vladmandic/face-api/dist/face-api.js');
  const context = createContext(browser());
  runInContext(readFileSync(bundle, 'utf8'), context, { filename: bundle });
  const { faceapi } = context as { readonly faceapi: FaceApi };
  // Classes of pictures in a page, none of which is ever passed in.
  const classes = ['Canvas', 'CanvasRenderingContext2D', 'Image', 'ImageData', 'Video'];
  faceapi.env.setEnv(Object.fromEntries(classes.map((name) => [name, Nothing])));
  faceapi.tf.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), '/'));
  if (!(await faceapi.tf.setBackend('wasm'))) {
    throw new Error('TensorFlow.js does not run on WebAssembly here');
  }
  return faceapi;
};

let loading: Promise<FaceApi> | undefined;

/**
 * Opens face-api with the TensorFlow.js that is bundled into it, on WebAssembly.
 *
 * Its bundle is the one for browsers, in a context that looks like one: the one for Node needs the packages of
 * TensorFlow.js.
 */
export const openFaceApi = (): Promise<FaceApi> => (loading ??= load());
