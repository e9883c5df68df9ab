import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderSbom, readSbomParts } from './render-sbom';

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly components?: readonly Component[];
}

const parts = readSbomParts(join(import.meta.dirname, '../..'));
const text = renderSbom(parts);
const sbom = JSON.parse(text) as Record<string, unknown> & {
  readonly serialNumber: string;
  readonly components: readonly Component[];
};
const named = (name: string): Component | undefined => sbom.components.find((each) => each.name === name);

it('the bill of materials is CycloneDX, and the same for the same contents', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(renderSbom(parts)).toBe(text);
});

it('the bill of materials lists each package once, with its purl and licence', () => {
  const packages = sbom.components.filter(({ type }) => type === 'library');
  expect(packages).toHaveLength(parts.packages.length);
  for (const { purl, version, licenses } of packages) {
    expect(purl).toMatch(new RegExp(`^pkg:npm/(%40[^/@]+/)?[^/@]+@${version}$`));
    expect(licenses?.[0]?.expression).toBeTruthy();
  }
  const references = sbom.components.map((each) => each['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
});

it('the bill of materials lists the models with their hashes, and the libraries in binaries', () => {
  expect(named('face-centers.onnx')).toMatchObject({
    type: 'machine-learning-model',
    hashes: [{ alg: 'SHA-256', content: expect.stringMatching(/^[\da-f]{64}$/) as string }],
  });
  const held = named('@napi-rs/webcodecs-linux-x64-gnu')?.components?.map(({ name }) => name);
  expect(held).toEqual(expect.arrayContaining(['x264', 'x265', 'FFmpeg']));
});
