import { tsImport } from 'tsx/esm/api';

/** Threads know no TypeScript by themselves. */
export const { load, anonymiseImage, anonymiseVideo, renderImage, renderMask } = await tsImport(
  './stub-engine.ts',
  import.meta.url,
);
