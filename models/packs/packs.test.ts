import { readImageHeader } from '#shared/engine/formats/read-header';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { chooseModels } from '#shared/engine/packs/choose';
import { createRaster } from '#shared/testing/rasters';
import { imageCodec } from '../../server/adapters/image-codec';
import { readManifest } from '../../server/adapters/model-files';
import { openEngine } from '../eval/open-engine';
import { checkPacks } from './check-packs';
import { readInstalled, removePack } from './installed';
import { installing, MODELS } from './test/installing';
import { packOf, promptedModel, tinyModel, vehicleModel } from './test/tiny-models';

const manifest = await readManifest(MODELS);
const MODEL = vehicleModel();

const { write, add, target, leftBehind, expectRefusal, pathOf } = installing();

describe('a pack', () => {
  it('is installed from its description and a file, and replaces the default model of its classes', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    expect(await checkPacks(target())).toEqual([
      { pack: 'tiny-vehicles', model: 'tiny-vehicles', problem: undefined },
    ]);
    const engine = await openEngine(target());
    const bytes = await imageCodec.encodePng({ ...createRaster(64, 64, () => [90, 90, 90]), channels: 4 }, 1);
    const job = {
      bytes,
      header: await readImageHeader(bytes, LIMITS),
      options: defaultImageOptions({ method: 'detect', classes: ['vehicle'] }),
      encoding: { format: 'jpeg', quality: 90 },
      masks: [],
    } as const;
    const { report } = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
    expect(report.detections.map(({ objectClass, box }) => ({ objectClass, box }))).toEqual([
      { objectClass: 'vehicle', box: { x1: 16, y1: 8, x2: 48, y2: 24 } },
    ]);
  });

  it('is installed from an archive', async () => {
    const archive = zipSync({
      'pack.json': Buffer.from(JSON.stringify(packOf(MODEL))),
      'tiny-vehicles.onnx': MODEL,
    });
    await add(await write('pack.zip', archive));
    expect((await readInstalled(target())).map(({ id }) => id)).toEqual(['tiny-vehicles']);
  });

  it('is removed with all its files', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await removePack(target(), 'tiny-vehicles');
    expect(await leftBehind()).toEqual(['packs.json']);
    expect(await readManifest(MODELS, target())).toEqual(manifest);
    await expect(removePack(target(), 'tiny-vehicles')).rejects.toThrow('is not installed');
  });

  it('is replaced by its next version, and its old files are removed', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    const next = vehicleModel(0.7);
    await add(await write('pack.json', packOf(next)), await write('model.onnx', next));
    expect((await leftBehind()).filter((name) => name.endsWith('.onnx'))).toHaveLength(1);
    expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it('stays complete and unchanged if the installation of its next version fails', async () => {
    const archive = (models: readonly object[], files: Record<string, Uint8Array>): Uint8Array =>
      zipSync({ 'pack.json': Buffer.from(JSON.stringify({ ...packOf(MODEL), models })), ...files });
    const [model] = packOf(MODEL).models;
    await add(await write('pack.zip', archive([model!], { 'tiny-vehicles.onnx': MODEL })));
    const installed = await readInstalled(target());
    const more = { ...model, id: 'more', file: 'more.onnx', sha256: 'a'.repeat(64) };
    const files = { 'tiny-vehicles.onnx': MODEL, 'more.onnx': MODEL };
    const adding = add(await write('pack.zip', archive([model!, more], files)));
    await expect(adding).rejects.toThrow('does not match its description');
    expect(await readInstalled(target())).toEqual(installed);
    expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined]);
    expect(await leftBehind()).toHaveLength(2);
  });

  it('is replaced by a pack for the same class that is added later', async () => {
    const later = vehicleModel(0.7);
    const described = packOf(later, { id: 'later', file: 'later.onnx' });
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await add(await write('pack.json', { ...described, id: 'later' }), await write('model.onnx', later));
    const chosen = async () =>
      chooseModels(
        await readManifest(MODELS, target()),
        defaultImageOptions({ classes: ['vehicle'] }),
      ).detectors.map(({ id }) => id);
    expect(await chosen()).toEqual(['later']);
    await removePack(target(), 'later');
    expect(await chosen()).toEqual(['tiny-vehicles']);
  });

  it('has the input of its file, if that is the only one, whatever its description calls it', async () => {
    const output = { name: 'output0', dims: [1, 7], data: Float32Array.of(0, 8, 4, 24, 12, 2, 0.9) };
    const model = tinyModel('pixel_values', [1, 3, 32, 32], [output]);
    const { models } = await add(await write('pack.json', packOf(model)), await write('model.onnx', model));
    expect(models[0]?.input.name).toBe('pixel_values');
  });

  it('whose publisher states no length is known by its hash, and gets the length of its file', async () => {
    const upTo = (bytes: number) => packOf(MODEL, { bytes, source: { isLengthUnknown: true } });
    await write('model.onnx', MODEL);
    const tooSmall = add(await write('small.json', upTo(MODEL.length - 1)), pathOf('model.onnx'));
    await expect(tooSmall).rejects.toThrow('does not match its description');
    const { models } = await add(await write('pack.json', upTo(2 * MODEL.length)), pathOf('model.onnx'));
    expect(models).toMatchObject([{ bytes: MODEL.length, source: {} }]);
    expect(models[0]?.source).not.toHaveProperty('isLengthUnknown');
    expect((await checkPacks(target())).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it('with a changed or missing file is reported by `check`', async () => {
    const { models } = await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    const file = join(target(), models[0]!.file);
    await writeFile(
      file,
      MODEL.map((byte) => byte ^ 1),
    );
    expect((await checkPacks(target()))[0]?.problem).toMatch(/was changed/);
    await rm(file);
    expect((await checkPacks(target()))[0]?.problem).toMatch(/is missing/);
  });

  it('with an unnecessary fixed input size gets a free size', async () => {
    const grown = tinyModel(
      'images',
      [10, 3, 32, 32],
      [{ name: 'output0', dims: [1, 7], data: Float32Array.of(0, 8, 4, 24, 12, 2, 0.9) }],
    );
    const input = {
      name: 'images',
      mean: [0, 0, 0],
      std: [1, 1, 1],
      multipleOf: 32,
      longSides: [64],
    } as const;
    const fixed = packOf(grown, { input });
    const freed = packOf(grown, { input, source: { freesSize: true } });
    const file = await write('model.onnx', grown);
    await expectRefusal(add(await write('pack.json', fixed), file), /does not run as described/);
    await add(await write('pack.json', freed), file);
    expect((await checkPacks(target()))[0]?.problem).toBeUndefined();
  });
});

describe('a pack whose network takes a box as its prompt', () => {
  it('is run with a box when it is installed', async () => {
    const model = promptedModel();
    const input = {
      name: 'image',
      mean: [0, 0, 0],
      std: [255, 255, 255],
      size: [32, 32],
      prompts: { points: 'points', labels: 'labels' },
    } as const;
    const asked = { head: 'efficient-sam', input, outputs: ['masks'] } as const;
    await add(await write('pack.json', packOf(model, asked)), await write('model.onnx', model));
    const { name, mean, std, size } = input;
    const withoutPrompt = packOf(model, { ...asked, input: { name, mean, std, size } });
    await removePack(target(), 'tiny-vehicles');
    await expectRefusal(add(await write('pack.json', withoutPrompt), pathOf('model.onnx')), /does not run/);
  });
});

describe('hostile input', () => {
  const DESCRIPTION = Buffer.from(JSON.stringify(packOf(MODEL)));

  it.each(['../tiny-vehicles.onnx', '/etc/x.onnx', 'a/../../x.onnx', '..\\x.onnx', 'C:x.onnx', '.hidden'])(
    'is refused: an archive with a file named %s',
    async (name) => {
      const archive = zipSync({ 'pack.json': DESCRIPTION, [name]: MODEL });
      await expectRefusal(add(await write('pack.zip', archive)), /outside its top level/);
    },
  );

  it('is refused: an archive whose description is larger than allowed when it is unpacked', async () => {
    const archive = zipSync({ 'pack.json': new Uint8Array(2 ** 21) });
    await expectRefusal(add(await write('pack.zip', archive)), /exceeds the size limit/);
  });

  it('is refused: an archive that is truncated, or has no description', async () => {
    const archive = zipSync({ 'pack.json': DESCRIPTION });
    await expectRefusal(add(await write('pack.zip', archive.subarray(0, 40))), /damaged/);
    await expectRefusal(add(await write('pack.zip', zipSync({ 'a.onnx': MODEL }))), /no pack\.json/);
  });

  it.each<[string, unknown, RegExp]>([
    ['that is not JSON', Buffer.from('{'), /not JSON/],
    ['that names a file elsewhere', packOf(MODEL, { file: '../../manifest.onnx' }), /wrong at/],
    ['that uses the name of a default model', packOf(MODEL, { id: 'centernet' }), /Two models are named/],
    ['whose model has other outputs', packOf(MODEL, { outputs: ['other'] }), /does not run as described/],
  ])('is refused: a description %s', async (_name, content, sentence) => {
    const file = await write('pack.json', content as object);
    await expectRefusal(add(file, await write('model.onnx', MODEL)), sentence);
  });

  it('is refused: a model file that is not an ONNX graph', async () => {
    const noise = Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 251);
    const file = await write('pack.json', packOf(noise));
    await expectRefusal(add(file, await write('model.onnx', noise)), /does not run/);
  });

  it('is refused: a damaged list of the installed packs', async () => {
    await add(await write('pack.json', packOf(MODEL)), await write('model.onnx', MODEL));
    await writeFile(join(target(), 'packs.json'), '{"packs":[{}]}');
    await expect(readInstalled(target())).rejects.toThrow(/is damaged/);
    await expect(readManifest(MODELS, target())).rejects.toThrow(/description/);
  });
});
