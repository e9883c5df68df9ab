import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pack } from '#shared/engine/packs/packs';
import { readManifest } from '../../server/adapters/model-files';
import { addPack } from './add-pack';
import { checkPacks } from './check-packs';
import { findPack } from './find-pack';
import { Refusal } from './refusal';
import { cocoModel, modelWithUnknownOutputs, vehicleModel } from './test/tiny-models';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const find = async (name: string, file: Uint8Array): Promise<Pack> => {
  const path = join(folder, name);
  await writeFile(path, file);
  return (await findPack(path)).pack;
};

describe('a single model file', () => {
  it('is installed if its head and its classes can be recognised', async () => {
    await writeFile(join(folder, 'Street Cars.onnx'), cocoModel());
    const manifest = await readManifest(join(import.meta.dirname, '..'));
    const installed = join(folder, 'installed');
    const { models } = await addPack(await findPack(join(folder, 'Street Cars.onnx')), {
      folder: installed,
      manifest,
    });
    expect(models).toMatchObject([
      {
        id: expect.stringMatching(/^own-street-cars-/) as string,
        head: 'yolo',
        classes: ['person', 'vehicle'],
        input: { name: 'images', size: [32, 32] },
      },
    ]);
    expect((await checkPacks(installed)).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['does not name its classes', vehicleModel(), /output format yolo-end-to-end, but does not name/],
    ['has unknown outputs', modelWithUnknownOutputs(), /output format of the model is unknown/],
    ['is not a model', Buffer.from('\x89PNG'), /not an ONNX model/],
    ['is truncated', cocoModel().subarray(0, 300), /not an ONNX model/],
  ])('is refused with one sentence if it %s', async (_name, file, sentence) => {
    const refusal: unknown = await find('model.onnx', file).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).message).toMatch(sentence);
  });
});
