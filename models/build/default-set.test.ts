import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { InferenceSession } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '#shared/domain/manifest';
import { DEFAULT_SET } from './default-set/index';

const modelsFolder = new URL('../', import.meta.url);
const { models } = JSON.parse(readFileSync(new URL('manifest.json', modelsFolder), 'utf8')) as Manifest;
const read = (file: string) => readFileSync(new URL(file, modelsFolder));

describe('the committed models', () => {
  it('are the models of the manifest and no others', () => {
    const files = readdirSync(modelsFolder).filter((file) => file.endsWith('.onnx'));
    expect(files.toSorted()).toEqual(models.map(({ file }) => file).toSorted());
  });

  it.each(models)('have the length and SHA-256 of the manifest: $file', ({ file, bytes, sha256 }) => {
    const content = read(file);
    expect(content.byteLength).toBe(bytes);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
  });

  it.each(models)(
    'have the inputs and outputs of the manifest: $file',
    async ({ id, file, input, outputs, landmarks }) => {
      const session = await InferenceSession.create(read(file));
      expect(session.inputNames).toEqual([input.name]);
      const forOthers = models.flatMap(({ features }) => (features?.model === id ? features.output : []));
      const extra = landmarks === undefined ? [] : [landmarks];
      expect(session.outputNames.toSorted()).toEqual([...outputs, ...forOthers, ...extra].toSorted());
    },
  );

  it('have the manifest entries of their build files', () => {
    expect(
      models.map(({ file: _file, sha256: _sha256, bytes: _bytes, source: _source, ...entry }) => entry),
    ).toEqual(DEFAULT_SET.map(({ entry }) => entry));
  });

  it('are small enough to be loaded with the page', () => {
    // Others are loaded only when a person or a line of text is to stay visible.
    const loaded = models.filter(({ head }) => head !== 'face-embedding' && head !== 'text-reader');
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(16 * 1024 * 1024);
  });
});
