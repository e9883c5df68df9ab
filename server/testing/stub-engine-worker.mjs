import { tsImport } from 'tsx/esm/api';

/** Threads know no TypeScript by themselves. */
const { default: serveLease } = await tsImport('./stub-engine.ts', import.meta.url);
export default serveLease;
