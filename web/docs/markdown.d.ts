/** Written by `web/build/markdown-sections.ts` when the page is built. */
declare module '*.md?sections' {
  import type { Section } from './sections';
  const sections: readonly Section[];
  export default sections;
}
