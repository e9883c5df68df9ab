/** Fields of a `package.json` that a release changes. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** Fields that only a checkout uses. */
const OF_CHECKOUT = ['scripts', 'devDependencies', 'overrides', 'imports'];

/**
 * The `package.json` of a release, with which npm refuses to install it on other platforms than that of its onnxruntime
 * library.
 *
 * @param platform system and processor, for example `linux-arm64`
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
