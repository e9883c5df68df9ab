import { readFile } from 'node:fs/promises';
import { lexer, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import type { Block, Inline, Section } from '../docs/sections';

/** Whether a link is safe: its URL is http(s) or relative to a file. */
const isSafe = (href: string): boolean =>
  ['https:', 'http:', 'file:'].includes(new URL(href, 'file:').protocol);

const unsupported = ({ type, raw }: Token): Error =>
  new Error(`The page shows no Markdown of the kind "${type}": ${raw.trim().slice(0, 60)}`);

const unwrapped = (text: string): string => text.replaceAll('\n', ' ');

const inlineOf = (token: Token): Inline => {
  switch (token.type) {
    case 'text':
    case 'escape':
      return { kind: 'text', text: unwrapped((token as Tokens.Text).text) };
    case 'codespan':
      return { kind: 'code', text: (token as Tokens.Codespan).text };
    case 'link': {
      const { text, href } = token as Tokens.Link;
      if (!isSafe(href)) throw unsupported(token);
      return { kind: 'link', text: unwrapped(text), href };
    }
    default:
      throw unsupported(token);
  }
};

const blockOf = (token: Token): Block => {
  switch (token.type) {
    case 'paragraph':
      return { kind: 'paragraph', content: ((token as Tokens.Paragraph).tokens ?? []).map(inlineOf) };
    case 'code': {
      const { lang = '', text } = token as Tokens.Code;
      return { kind: 'code', language: lang, text: text.trimEnd() };
    }
    default:
      throw unsupported(token);
  }
};

const isSectionHeading = (token: Token): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === 2;

/**
 * Parses Markdown into sections: paragraphs with code and links, and fenced code.
 *
 * Returns data instead of HTML: React renders it, so nothing in it becomes markup.
 * @throws Error if the text contains anything else
 */
export const parseSections = (markdown: string): Section[] => {
  const sections: { title: string; blocks: Block[] }[] = [];
  for (const token of lexer(markdown)) {
    if (isSectionHeading(token)) sections.push({ title: token.text, blocks: [] });
    else if (token.type !== 'space') sections.at(-1)?.blocks.push(blockOf(token));
  }
  return sections;
};

const SUFFIX = '.md?sections';

/**
 * `import sections from 'file.md?sections'`: Markdown is parsed at build time, so its parser is not part of the page.
 */
export const markdownSections = (): Plugin => ({
  name: 'veil-markdown-sections',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(SUFFIX)) return undefined;
    const file = id.slice(0, id.lastIndexOf('?'));
    this.addWatchFile(file);
    return `export default ${JSON.stringify(parseSections(await readFile(file, 'utf8')))}`;
  },
});
