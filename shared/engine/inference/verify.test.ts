import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../../domain/manifest';
import { verifyModel, WrongModelFile } from './verify';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const system = { sha256: (bytes: Uint8Array) => Promise.resolve(sha256Of(bytes)) };

const model = Uint8Array.of(1, 2, 3, 4);
const entry: ModelEntry = {
  id: 'tiny',
  file: 'tiny.onnx',
  sha256: sha256Of(model),
  bytes: model.byteLength,
  licence: 'MIT',
  source: { registry: 'npm', package: 'tiny', version: '1.0.0', integrity: 'sha512-', path: 'tiny.onnx' },
  head: 'centerface',
  classes: ['face'],
  input: { name: 'image', mean: [0, 0, 0], std: [1, 1, 1] },
  outputs: [],
  thresholds: {},
};

describe('a model file', () => {
  it('is accepted if its bytes match the manifest', async () => {
    await expect(verifyModel(entry, model, system)).resolves.toBeUndefined();
  });

  it('is refused if one bit differs', async () => {
    const changed = Uint8Array.of(1, 2, 3, 5);
    await expect(verifyModel(entry, changed, system)).rejects.toThrow(WrongModelFile);
  });

  it('is refused by its length before anything is hashed', async () => {
    const unreachable = { sha256: () => Promise.reject(new Error('hashed')) };
    await expect(verifyModel(entry, model.subarray(1), unreachable)).rejects.toThrow(WrongModelFile);
  });

  it('is named in the public sentence; its hashes are only in the log', async () => {
    const refusal = await verifyModel(entry, Uint8Array.of(1, 2, 3, 5), system).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({
      publicSentence:
        'The model file tiny.onnx is damaged or was exchanged, so it was not loaded: restore it from the release.',
      detail: expect.stringContaining(entry.sha256) as string,
    });
  });
});
