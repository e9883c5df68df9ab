/** What a package's `package.json` says, as far as a release changes it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** What only a checkout can use. */
const OF_CHECKOUT = ['scripts', 'devDependencies', 'overrides', 'imports'];

/**
 * The `package.json` of a release: npm refuses to install it on a machine that its library of onnxruntime was not built
 * for.
 *
 * @param platform a system and a processor, for example `linux-arm64`
 */
export const releaseManifest = (manifest: Manifest, platform: string): Manifest => {
  const [os, cpu] = platform.split('-');
  const kept = Object.entries(manifest).filter(([field]) => !OF_CHECKOUT.includes(field));
  return {
    ...(Object.fromEntries(kept) as Manifest),
    os: [os],
    cpu: [cpu],
    // The library for Linux needs glibc.
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
  };
};
