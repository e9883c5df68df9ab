/** Created by `web/build/markdown-sections.ts` at build time. */
declare module '*.md?sections' {
  import type { Section } from './sections';
  const sections: readonly Section[];
  export default sections;
}
