import { tsImport } from 'tsx/esm/api';

/** Loads TypeScript support, which threads do not have by themselves. */
export const { load, anonymiseImage, anonymiseVideo, renderImage, renderMask } = await tsImport(
  './stub-engine.ts',
  import.meta.url,
);
