import { describe, expect, it } from 'vitest';
import type { ObjectClass } from '../../catalogue/classes';
import { QUALITY_PRESETS, type PlateSearch, type QualityPreset } from '../../domain/options';
import { allModels, chooseModels, type ChosenModels } from './choose';
import type { HeadName, Manifest, ModelEntry } from '../../domain/manifest';

const entry = (id: string, head: HeadName, classes: readonly ObjectClass[]): ModelEntry => ({
  id,
  file: `${id}.onnx`,
  sha256: '',
  bytes: 0,
  licence: 'MIT',
  source: { registry: 'npm', package: id, version: '1.0.0', integrity: 'sha512-', path: id },
  head,
  classes,
  input: { name: 'image', mean: [0, 0, 0], std: [1, 1, 1] },
  outputs: [],
  thresholds: {},
});

const manifest: Manifest = {
  models: [
    entry('faces', 'centerface', ['face']),
    entry('objects', 'centernet', ['person', 'vehicle']),
    entry('text', 'text-regions', ['license-plate', 'text']),
    entry('selfie', 'selfie-mask', ['person']),
    entry('pose', 'pose-mask', ['person']),
  ],
};
const choose = (from: Manifest, classes: readonly ObjectClass[], plates?: PlateSearch): ChosenModels =>
  chooseModels(from, { classes, qualityPreset: 'balanced', ...(plates && { plates }) });
const chosen = (...classes: ObjectClass[]) => allModels(choose(manifest, classes)).map(({ id }) => id);

describe('the models for some classes', () => {
  it('are only the face detector for faces', () => {
    expect(chosen('face')).toEqual(['faces']);
  });

  it('are a detector and both masks for persons', () => {
    expect(chosen('person')).toEqual(['objects', 'selfie', 'pose']);
  });

  it('are only a detector for vehicles, which get a default shape', () => {
    expect(chosen('vehicle')).toEqual(['objects']);
  });

  it('are the text and vehicle detectors for plates without a plate detector', () => {
    expect(chosen('license-plate')).toEqual(['objects', 'text']);
  });

  it('are only the plate detector for plates, if there is one, and text and vehicle detectors on request', () => {
    const withPlates: Manifest = {
      models: [...manifest.models, entry('plates', 'plate-corners', ['license-plate'])],
    };
    const idsFor = (search?: PlateSearch) =>
      allModels(choose(withPlates, ['license-plate'], search)).map(({ id }) => id);
    expect(idsFor()).toEqual(['plates']);
    expect(idsFor('usual')).toEqual(['plates']);
    expect(idsFor('thorough')).toEqual(['objects', 'plates', 'text']);
  });

  it('are only the text detector for text, once with plates, and a detector of the class in its place', () => {
    expect(chosen('text')).toEqual(['text']);
    expect(chosen('face', 'text')).toEqual(['faces', 'text']);
    expect(chosen('license-plate', 'text')).toEqual(['objects', 'text']);
    const withDetector: Manifest = { models: [...manifest.models, entry('words', 'yolo', ['text'])] };
    expect(allModels(choose(withDetector, ['text'])).map(({ id }) => id)).toEqual(['words']);
  });

  it('include the plate classifier, if there is one', () => {
    const withClassifier: Manifest = {
      models: [...manifest.models, entry('classifier', 'plate-windows', ['license-plate'])],
    };
    expect(allModels(choose(withClassifier, ['license-plate'])).map(({ id }) => id)).toEqual([
      'objects',
      'text',
      'classifier',
    ]);
    expect(choose(withClassifier, ['face', 'vehicle']).plateClassifier).toBeUndefined();
  });

  it('are a prompted mask network instead of the masks of persons, and for vehicles too', () => {
    const withSam: Manifest = {
      models: [entry('sam', 'efficient-sam', ['person', 'vehicle']), ...manifest.models],
    };
    const masksFor = (...classes: ObjectClass[]) => choose(withSam, classes).maskModels.map(({ id }) => id);
    expect(masksFor('person')).toEqual(['sam']);
    expect(masksFor('vehicle', 'person')).toEqual(['sam']);
    expect(masksFor('face', 'license-plate')).toEqual([]);
  });

  it('include a mask network of objects and, once, the model with the features that it needs', () => {
    const outlines: ModelEntry = {
      ...entry('outlines', 'object-outline', ['vehicle']),
      features: { model: 'objects', output: 'features' },
    };
    const withOutlines: Manifest = { models: [...manifest.models, outlines] };
    const ids = (all: Manifest, ...classes: ObjectClass[]) =>
      allModels(choose(all, classes)).map(({ id }) => id);
    expect(ids(withOutlines, 'vehicle')).toEqual(['objects', 'outlines']);
    expect(ids(withOutlines, 'person')).toEqual(['objects', 'selfie', 'pose']);
    expect(ids(withOutlines, 'face')).toEqual(['faces']);
    // A pack that finds vehicles finds no features.
    const withPack: Manifest = { models: [entry('pack', 'yolox', ['vehicle']), ...withOutlines.models] };
    expect(ids(withPack, 'vehicle')).toEqual(['pack', 'objects', 'outlines']);
  });

  it('include no text detector if plates are not wanted', () => {
    expect(choose(manifest, ['face', 'vehicle'], 'thorough').textDetector).toBeUndefined();
  });

  it('are each chosen once, in the manifest’s order', () => {
    expect(chosen('vehicle', 'person', 'license-plate', 'face')).toEqual([
      'faces',
      'objects',
      'text',
      'selfie',
      'pose',
    ]);
  });

  it('are those for the quality preset, of which the first is preferred', () => {
    const forPresets = (id: string, ...presets: QualityPreset[]): ModelEntry => ({
      ...entry(id, 'yolox', ['person', 'vehicle']),
      presets,
    });
    const models = [
      forPresets('large', 'thorough'),
      forPresets('small', 'fast', 'thorough'),
      ...manifest.models,
    ];
    const detectors = QUALITY_PRESETS.map((qualityPreset) =>
      chooseModels({ models }, { classes: ['person'], qualityPreset }).detectors.map(({ id }) => id),
    );
    expect(detectors).toEqual([['small'], ['objects'], ['large']]);
  });

  it('are none without classes', () => {
    expect(chosen()).toEqual([]);
  });

  it('throw if the manifest has none', () => {
    const withoutText = { models: manifest.models.filter(({ head }) => head !== 'text-regions') };
    expect(() => choose(withoutText, ['license-plate'])).toThrow(
      'the manifest has no text-detector for the class license-plate',
    );
  });
});
