import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** What the guide consists of, in its order. */
export const GUIDE_DOCUMENTS = [
  'docs/use/page.md',
  'docs/use/first-steps.md',
  'docs/limits/accuracy.md',
  'docs/limits/formats.md',
] as const;

const isInGuide = (path: string): boolean => (GUIDE_DOCUMENTS as readonly string[]).includes(path);
const isOnTheWeb = (href: string): boolean => href.startsWith('https:');

/** The address of a heading, as GitHub makes it, behind the name of its document: two may have the same heading. */
const anchorOf = (path: string, heading: string): string =>
  `${basename(path, '.md')}-${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')}`;

/** Where a link of a document leads in the guide; undefined if what it leads to is not part of the page. */
const targetOf = (from: string, href: string): string | undefined => {
  if (isOnTheWeb(href)) return href;
  const [file = '', anchor] = href.split('#');
  const path = file === '' ? from : relative(ROOT, join(ROOT, dirname(from), file)).replaceAll('\\', '/');
  if (!isInGuide(path)) return undefined;
  return anchor === undefined ? `#${basename(path, '.md')}` : `#${basename(path, '.md')}-${anchor}`;
};

interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

const chapterOf = (path: string): Chapter => {
  const id = basename(path, '.md');
  const sections: { id: string; title: string }[] = [];
  let title = id;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) title = content;
        const anchor = depth === 1 ? id : anchorOf(path, text);
        if (depth === 2) sections.push({ id: anchor, title: content });
        return `<h${depth} id="${anchor}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(path, href);
        if (target === undefined) return content;
        return `<a href="${target}"${isOnTheWeb(href) ? ' rel="noreferrer"' : ''}>${content}</a>`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        throw new Error(`${path}: the guide takes no HTML: ${text.slice(0, 60)}`);
      },
    },
  });
  const html = marked.parse(readFileSync(join(ROOT, path), 'utf8'), { async: false });
  const scrolling = html.replaceAll('<table>', '<div class="table" tabindex="0"><table>');
  return { id, title, html: scrolling.replaceAll('</table>', '</table></div>'), sections };
};

const linkTo = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  `<a href="#${id}">${title}</a>`;

/** The guide of the page as HTML: a table of contents, and a chapter for each document. */
export const renderGuide = (): string => {
  const chapters = GUIDE_DOCUMENTS.map(chapterOf);
  const contents = chapters.map(
    (chapter) =>
      `<li>${linkTo(chapter)}<ul>${chapter.sections.map((section) => `<li>${linkTo(section)}</li>`).join('')}</ul></li>`,
  );
  return [
    `<nav aria-label="Contents"><ul>${contents.join('')}</ul></nav>`,
    `<main>${chapters.map(({ html }) => `<article>${html}</article>`).join('')}</main>`,
  ].join('\n');
};

const PLACE = '<!-- guide -->';

/** Puts the guide into `help.html`, from the same Markdown that is read in the repository. */
export const helpPage = (): Plugin => ({
  name: 'veil-help-page',
  transformIndexHtml: (html) => html.replace(PLACE, () => renderGuide()),
});
