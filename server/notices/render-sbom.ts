import { createHash } from 'node:crypto';
import { BINARY_CONTENTS, type BinaryPart } from './binary-contents';
import { type NoticePackage, noticePackages } from './notice-packages';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ManifestModel {
  readonly file: string;
  readonly sha256: string;
  /** An SPDX identifier, followed by its source in brackets. */
  readonly licence: string;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** Reads the parts of the SBOM. @param root path of the repository */
export const readSbomParts = (root: string): SbomParts => {
  const { name, version } = readJson<{ name: string; version: string }>(join(root, 'package.json'));
  const { models } = readJson<{ models: readonly ManifestModel[] }>(join(root, 'models/manifest.json'));
  return {
    product: { name, version },
    packages: noticePackages(root),
    models: models.map(({ file, sha256, licence }) => ({
      file,
      sha256,
      licence: licence.replace(/ \(.*$/, ''),
    })),
  };
};

interface Model {
  readonly file: string;
  readonly sha256: string;
  readonly licence?: string;
}

interface Component {
  readonly type: 'library' | 'machine-learning-model';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly scope?: 'required' | 'optional';
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-256'; readonly content: string }[];
  readonly components?: readonly Component[];
}

export interface SbomParts {
  readonly product: { readonly name: string; readonly version: string };
  readonly packages: readonly NoticePackage[];
  readonly models: readonly Model[];
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Libraries in the binaries of a package, from the first matching entry. */
export const binaryPartsOf = (name: string): readonly BinaryPart[] =>
  BINARY_CONTENTS.find(({ packages }) => packages.some((pattern) => matches(pattern, name)))?.parts ?? [];

/** The package URL (purl), in which scopes are percent-encoded. */
const purlOf = ({ name, version }: NoticePackage): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const componentOf = (each: NoticePackage): Component => {
  const purl = purlOf(each);
  const parts = binaryPartsOf(each.name);
  return {
    type: 'library',
    'bom-ref': purl,
    name: each.name,
    version: each.version,
    purl,
    scope: each.isOptional ? 'optional' : 'required',
    licenses: [{ expression: each.licence }],
    ...(parts.length > 0 && {
      components: parts.map(({ name, licence }) => ({
        type: 'library' as const,
        'bom-ref': `${purl}#${name}`,
        name,
        licenses: [{ expression: licence }],
      })),
    }),
  };
};

const modelOf = ({ file, sha256, licence }: Model): Component => ({
  type: 'machine-learning-model',
  'bom-ref': `models/${file}`,
  name: file,
  ...(licence !== undefined && { licenses: [{ expression: licence }] }),
  hashes: [{ alg: 'SHA-256', content: sha256 }],
});

/** A UUID that depends only on the content, so that a release is reproducible. */
const serialOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...groups, hex.slice(20, 32)].join('-')}`;
};

/** The software bill of materials, as CycloneDX 1.5 (JSON). */
export const renderSbom = ({ product, packages, models }: SbomParts): string => {
  const components = [...packages.map(componentOf), ...models.map(modelOf)];
  const root = `pkg:npm/${product.name.replace('@', '%40')}@${product.version}`;
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialOf(JSON.stringify([product, components])),
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        purl: root,
        ...product,
        licenses: [{ expression: 'MIT' }],
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(sbom, undefined, 2)}\n`;
};
