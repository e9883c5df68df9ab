import { tsImport } from 'tsx/esm/api';

/** Loads TypeScript support, which threads do not have by themselves. */
const { default: serveLease } = await tsImport('./stub-engine.ts', import.meta.url);
export default serveLease;
