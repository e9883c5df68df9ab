import { readImageHeader } from '#shared/engine/formats/read-header';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { iou } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import type { ObjectClass } from '#shared/catalogue/classes';
import { isDetected } from '#shared/domain/plan';
import { defaultImageOptions } from '#shared/domain/options';
import { readManifest } from '../../server/adapters/model-files';
import { openEngine } from '../eval/open-engine';
import { addPack } from './add-pack';
import { findPack } from './find-pack';
import { sha256Of } from './test/tiny-models';

const REFERENCES = join(import.meta.dirname, '../../../shared/reference-models');
const HAS_REFERENCES = existsSync(REFERENCES);
const SAMPLES = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
);
const encoding = { format: 'jpeg', quality: 90 } as const;

/** Minimum score of the default network for objects that the other network must detect, too. */
const CONFIDENT = 0.7;
const SAME_IOU = 0.5;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-references-'));
});
afterAll(() => rm(folder, { recursive: true }));

const find = async (classes: ObjectClass[], packsFolder?: string): Promise<readonly Detection[]> => {
  const engine = await openEngine(packsFolder);
  const bytes = await readFile(join(SAMPLES, 'sample1.jpg'));
  const job = {
    bytes,
    header: await readImageHeader(bytes, LIMITS),
    options: defaultImageOptions({ method: 'detect', classes }),
    encoding,
    masks: [],
  };
  const result = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
  return result.report.detections.filter(isDetected);
};

/** Detections of the default networks, so that each runs only once. */
const known = new Map<ObjectClass, Promise<readonly Detection[]>>();
const findByDefault = (objectClass: ObjectClass): Promise<readonly Detection[]> => {
  const finding = known.get(objectClass) ?? find([objectClass]);
  known.set(objectClass, finding);
  return finding;
};

/** Installs a file without a description. */
const installFile = async (file: string): Promise<string> => {
  const manifest = await readManifest(join(import.meta.dirname, '..'));
  const target = join(folder, file);
  await addPack(await findPack(join(REFERENCES, file)), { folder: target, manifest });
  return target;
};

/** Installs a pack with a reference file instead of its download. */
const install = async (packId: string, file: string): Promise<string> => {
  const from = join(REFERENCES, file);
  const bytes = await readFile(from);
  const { pack, ...rest } = await findPack(packId);
  const models = pack.models.map((model) => ({ ...model, sha256: sha256Of(bytes), bytes: bytes.length }));
  const manifest = await readManifest(join(import.meta.dirname, '..'));
  const target = join(folder, packId);
  await addPack({ ...rest, pack: { ...pack, models } }, { folder: target, manifest, from });
  return target;
};

if (!HAS_REFERENCES) console.warn(`Not tested: there are no reference models in ${REFERENCES}.`);

describe.runIf(HAS_REFERENCES)('a published network', () => {
  it.each([
    ['yunet_n_640_640.onnx', { head: 'yunet', classes: ['face'], input: { size: [640, 640] } }],
    ['yunet_n_dynamic.onnx', { head: 'yunet', classes: ['face'], input: { multipleOf: 32 } }],
    ['yunet_s_640_640.onnx', { head: 'yunet', id: 'yunet' }], // known by its hash
    ['yolox_nano.onnx', { head: 'yolox', classes: ['person', 'vehicle'], input: { size: [416, 416] } }],
  ])('%s is recognised without a description', async (file, expected) => {
    const { pack } = await findPack(join(REFERENCES, file));
    expect(pack.models).toMatchObject([expected]);
  });

  type Case = readonly [name: string, installed: () => Promise<string>, objectClass: ObjectClass];
  const rule = '%s detects the confident detections of the default network at the same places';
  const check = async (...[, installed, objectClass]: Case): Promise<void> => {
    const found = await find([objectClass], await installed());
    const confident = (await findByDefault(objectClass)).filter(({ score }) => score > CONFIDENT);
    expect(confident.length).toBeGreaterThan(0);
    for (const { box } of confident) {
      expect(Math.max(...found.map((other) => iou(other.box, box)))).toBeGreaterThan(SAME_IOU);
    }
  };
  it.each<Case>([['yunet_n_dynamic.onnx', () => installFile('yunet_n_dynamic.onnx'), 'face']])(rule, check);
  it.each<Case>([
    ['yunet', () => install('yunet', 'yunet_s_640_640.onnx'), 'face'],
    ['yunet_n_640_640.onnx', () => installFile('yunet_n_640_640.onnx'), 'face'],
    ['yolox-nano', () => install('yolox-nano', 'yolox_nano.onnx'), 'person'],
  ])(rule, { tags: ['slow'] }, check);
});
