import { tsImport } from 'tsx/esm/api';

/** The program of an engine process, in TypeScript. */
await tsImport('../engine/engine-main.ts', import.meta.url);
