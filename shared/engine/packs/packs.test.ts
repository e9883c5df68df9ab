import { describe, expect, it } from 'vitest';
import { modelEntry, PLATE_SETTINGS } from '../../testing/fake-models';
import type { Manifest } from '../../domain/manifest';
import type { QualityPreset } from '../../domain/options';
import { chooseModels } from './choose';
import { BadPack, parseInstalled, parsePack, withInstalledPack, withPacks, type Pack } from './packs';

const MODEL = {
  id: 'faces-too',
  file: 'faces-too.onnx',
  sha256: 'a'.repeat(64),
  bytes: 100,
  licence: 'MIT',
  source: { url: 'https://example.org/faces.onnx' },
  head: 'yunet',
  classes: ['face'],
  input: { name: 'input', mean: [0, 0, 0], std: [1, 1, 1], channels: 'bgr', size: [64, 64], longSides: [64] },
  outputs: ['out'],
  thresholds: { face: 0.5 },
};
const packWith = (changed: object = {}): object => ({
  id: 'faces',
  description: 'Faces.',
  models: [{ ...MODEL, ...changed }],
});
const faceDetectors = (manifest: Manifest, qualityPreset: QualityPreset = 'balanced') =>
  chooseModels(manifest, { classes: ['face'], qualityPreset }).detectors.map(({ id }) => id);
const DEFAULTS = { models: [modelEntry('faces', 'centerface', ['face'])] };

describe('a pack’s description', () => {
  it('is accepted if it is valid', () => {
    expect(parsePack(packWith())).toEqual(packWith());
  });

  it('is refused without a threshold, with the names of model and class', () => {
    expect(() => parsePack(packWith({ thresholds: {} }))).toThrow(
      'The model faces-too has no threshold for the class face.',
    );
  });

  it('needs plate settings if it contains a plate classifier', () => {
    const classifier = {
      head: 'plate-windows',
      classes: ['license-plate'],
      thresholds: { 'license-plate': 0.5 },
    };
    expect(() => parsePack(packWith(classifier))).toThrow('The model faces-too has no settings for plates.');
    const complete = packWith({ ...classifier, plates: PLATE_SETTINGS });
    expect(parsePack(complete)).toEqual(complete);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a list', []],
    ['a pack without models', { ...packWith(), models: [] }],
    ['a pack with more to say', { ...packWith(), run: 'me' }],
    ['a name that leads elsewhere', packWith({ file: '../faces.onnx' })],
    ['a name with a folder', packWith({ file: 'a/b.onnx' })],
    ['a name that is no model’s', packWith({ file: 'faces.js' })],
    ['an id that leads elsewhere', packWith({ id: '../../x' })],
    ['a hash that is none', packWith({ sha256: 'abc' })],
    ['a length beyond all sense', packWith({ bytes: 1e15 })],
    ['a length of nothing', packWith({ bytes: 0 })],
    ['a head that there is not', packWith({ head: 'constructor' })],
    ['a class that there is not', packWith({ classes: ['dog'] })],
    ['an image beyond all sense', packWith({ input: { ...MODEL.input, size: [1e6, 1e6] } })],
    ['a scale beyond all sense', packWith({ input: { ...MODEL.input, longSides: [1e9] } })],
    ['a division by nothing', packWith({ input: { ...MODEL.input, std: [0, 0, 0] } })],
    ['a threshold that hides everything', packWith({ thresholds: { face: 0 } })],
    ['a class without a threshold', packWith({ classes: ['face', 'person'] })],
    ['labels that are no numbers', packWith({ labels: { __proto__x: 'face' } })],
    ['for a preset that there is not', { ...packWith(), presets: ['best'] }],
    ['for no preset', { ...packWith(), presets: [] }],
    ['the same model twice', { ...packWith(), models: [MODEL, MODEL] }],
  ])('is refused with one sentence if it is %s', (_name, value) => {
    expect(() => parsePack(value)).toThrow(BadPack);
    expect(() => parsePack(value)).toThrow(/^[^\n]{1,200}\.$/);
  });
});

describe('installed packs', () => {
  it('are preferred to the default models', () => {
    const manifest = withPacks(DEFAULTS, parseInstalled({ packs: [packWith()] }));
    expect(faceDetectors(manifest)).toEqual(['faces-too']);
    expect(faceDetectors(withPacks(DEFAULTS, []))).toEqual(['faces']);
  });

  it('are chosen newest first, and one that is added again is the newest', () => {
    const [old, next] = ['old', 'next'].map((id) => ({
      ...parsePack(packWith({ id, file: `${id}.onnx` })),
      id,
    })) as [Pack, Pack];
    const chosen = (packs: readonly Pack[]) => faceDetectors(withPacks(DEFAULTS, packs));
    const both = withInstalledPack(withInstalledPack([], old), next);
    expect(chosen(both)).toEqual(['next']);
    expect(chosen(withInstalledPack(both, old))).toEqual(['old']);
    expect(withInstalledPack(both, old).map(({ id }) => id)).toEqual(['old', 'next']);
  });

  it('are used only for the quality presets that they name', () => {
    const pack = parsePack({ ...packWith(), presets: ['thorough'] });
    const manifest = withPacks(DEFAULTS, parseInstalled({ packs: [pack] }));
    expect(faceDetectors(manifest, 'thorough')).toEqual(['faces-too']);
    expect(faceDetectors(manifest, 'balanced')).toEqual(['faces']);
  });

  it('must not use the name of another model', () => {
    expect(() => withPacks(DEFAULTS, [parsePack(packWith({ id: 'faces' }))])).toThrow(
      'Two models are named faces.',
    );
    expect(() => withPacks(DEFAULTS, [parsePack(packWith({ file: 'faces.onnx' }))])).toThrow(BadPack);
  });

  it.each([undefined, {}, { packs: 'all' }, { packs: [{}] }])(
    'are refused where their list is %j',
    (value) => {
      expect(() => parseInstalled(value)).toThrow(BadPack);
    },
  );
});
