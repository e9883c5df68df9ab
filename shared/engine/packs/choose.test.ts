import { describe, expect, it } from 'vitest';
import type { ObjectClass } from '../../domain/object-class';
import type { PlateSearch } from '../../domain/options';
import { allModels, chooseModels } from './choose';
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
    entry('text', 'text-regions', ['license-plate']),
    entry('selfie', 'selfie-mask', ['person']),
    entry('pose', 'pose-mask', ['person']),
  ],
};
const chosen = (...classes: ObjectClass[]) => allModels(chooseModels(manifest, classes)).map(({ id }) => id);

describe('the models for some classes', () => {
  it('are the face detector alone for faces', () => {
    expect(chosen('face')).toEqual(['faces']);
  });

  it('are a detector and both masks for persons', () => {
    expect(chosen('person')).toEqual(['objects', 'selfie', 'pose']);
  });

  it('are a detector alone for vehicles, whose shape is not a network’s', () => {
    expect(chosen('vehicle')).toEqual(['objects']);
  });

  it('are text and the vehicles that carry it for plates that no detector knows', () => {
    expect(chosen('license-plate')).toEqual(['objects', 'text']);
  });

  it('are the plate detector alone for plates, where there is one, and text and vehicles on request', () => {
    const withPlates: Manifest = {
      models: [...manifest.models, entry('plates', 'plate-corners', ['license-plate'])],
    };
    const idsFor = (search?: PlateSearch) =>
      allModels(chooseModels(withPlates, ['license-plate'], search)).map(({ id }) => id);
    expect(idsFor()).toEqual(['plates']);
    expect(idsFor('plates')).toEqual(['plates']);
    expect(idsFor('plates-and-text')).toEqual(['objects', 'plates', 'text']);
  });

  it('hold what judges text and vehicles, where there is such a network', () => {
    const withClassifier: Manifest = {
      models: [...manifest.models, entry('judge', 'plate-windows', ['license-plate'])],
    };
    expect(allModels(chooseModels(withClassifier, ['license-plate'])).map(({ id }) => id)).toEqual([
      'objects',
      'text',
      'judge',
    ]);
    expect(chooseModels(withClassifier, ['face', 'vehicle']).plateClassifier).toBeUndefined();
  });

  it('are one that is told what to outline instead of the masks of persons, and for vehicles too', () => {
    const withSam: Manifest = {
      models: [entry('sam', 'efficient-sam', ['person', 'vehicle']), ...manifest.models],
    };
    const masksFor = (...classes: ObjectClass[]) =>
      chooseModels(withSam, classes).maskModels.map(({ id }) => id);
    expect(masksFor('person')).toEqual(['sam']);
    expect(masksFor('vehicle', 'person')).toEqual(['sam']);
    expect(masksFor('face', 'license-plate')).toEqual([]);
  });

  it('are, with a network that outlines objects, that and the one whose features it reads, once', () => {
    const outlines: ModelEntry = {
      ...entry('outlines', 'object-outline', ['vehicle']),
      features: { model: 'objects', output: 'features' },
    };
    const withOutlines: Manifest = { models: [...manifest.models, outlines] };
    const ids = (all: Manifest, ...classes: ObjectClass[]) =>
      allModels(chooseModels(all, classes)).map(({ id }) => id);
    expect(ids(withOutlines, 'vehicle')).toEqual(['objects', 'outlines']);
    expect(ids(withOutlines, 'person')).toEqual(['objects', 'selfie', 'pose']);
    expect(ids(withOutlines, 'face')).toEqual(['faces']);
    // A pack that finds vehicles finds no features.
    const withPack: Manifest = { models: [entry('pack', 'yolox', ['vehicle']), ...withOutlines.models] };
    expect(ids(withPack, 'vehicle')).toEqual(['pack', 'objects', 'outlines']);
  });

  it('hold no text where no plates are wanted', () => {
    expect(chooseModels(manifest, ['face', 'vehicle'], 'plates-and-text').textDetector).toBeUndefined();
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

  it('are none for no class', () => {
    expect(chosen()).toEqual([]);
  });

  it('are refused where the manifest has none', () => {
    const withoutText = { models: manifest.models.filter(({ head }) => head !== 'text-regions') };
    expect(() => chooseModels(withoutText, ['license-plate'])).toThrow(
      'the manifest has no text-detector for the class license-plate',
    );
  });
});
