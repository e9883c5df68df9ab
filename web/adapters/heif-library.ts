import type { HeifLibrary } from '#shared/engine/decode/heif-library';

/** Loaded with the first HEIC file. */
export const loadHeifLibrary = async (): Promise<HeifLibrary> => {
  const { default: create } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  // What it prints about broken files is for its own developers.
  const silent = (): undefined => undefined;
  return create({ print: silent, printErr: silent });
};
