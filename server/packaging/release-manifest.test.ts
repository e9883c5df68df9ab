import { describe, expect, it } from 'vitest';
import { releaseManifest } from './release-manifest';

const CHECKOUT = {
  name: '@scope/name',
  version: '1.2.3',
  bin: { name: 'bin.mjs' },
  dependencies: { part: '1.0.0' },
  devDependencies: { tool: '1.0.0' },
  imports: { '#shared/*': './shared/*.ts' },
  overrides: {},
  scripts: { prepack: 'tool' },
};

describe('the package.json of a release', () => {
  it('declares the platform that can run it', () => {
    expect(releaseManifest(CHECKOUT, 'linux-arm64')).toMatchObject({
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['glibc'],
    });
    expect(releaseManifest(CHECKOUT, 'darwin-x64')).not.toHaveProperty('libc');
  });

  it('has no fields that only a checkout uses', () => {
    const { name, version, bin, dependencies } = CHECKOUT;
    expect(releaseManifest(CHECKOUT, 'win32-x64')).toEqual({
      ...{ name, version, bin, dependencies },
      os: ['win32'],
      cpu: ['x64'],
    });
  });
});
