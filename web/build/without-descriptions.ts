import type { Plugin } from 'vite';

const DESCRIBED = /shared.(catalogue|api.contract).[\w-]+\.ts$/;
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/**
 * Empties the descriptions of parameters and fields. Only the API's document shows them, which the page has as a file,
 * and they are a fifth of the code that handles requests.
 */
export const withoutDescriptions = (): Plugin => ({
  name: 'veil-without-descriptions',
  enforce: 'pre',
  transform: (code, id) =>
    DESCRIBED.test(id) ? { code: code.replace(DESCRIPTION, "description: ''"), map: null } : undefined,
});
