import type { Plugin } from 'vite';
import { CLASS_RULES } from '../../shared/catalogue/class-rules';
import { OBJECT_CLASSES } from '../../shared/catalogue/classes';

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

const ID = 'virtual:classes.css';

/** What stands for an object or a class says so by `data-class`, and has its colour as `--class`. */
const rules = (): string =>
  OBJECT_CLASSES.map(
    (name) =>
      `:root { --class-${name}: ${CLASS_RULES[name].colour.page}; }\n` +
      `[data-class='${name}'] { --class: var(--class-${name}); }\n`,
  ).join('');

/** Makes a style sheet of the classes' colours: the content security policy allows no inline styles. */
export const classColours = (): Plugin => ({
  name: 'veil-class-colours',
  resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
  load: (id) => (id === `\0${ID}` ? rules() : undefined),
});
