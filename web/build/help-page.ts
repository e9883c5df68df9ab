import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import { formatsPage } from '../../shared/catalogue/formats-page';

const ROOT = join(import.meta.dirname, '../..');

export type GuideLanguage = 'en' | 'de';

/** The chapters of the guide, in their order: where each stands in the documents, and its Markdown. */
const CHAPTERS = [
  { id: 'page', path: 'docs/use/page' },
  { id: 'accuracy', path: 'docs/limits/accuracy' },
  { id: 'formats', path: 'docs/limits/formats', render: formatsPage },
] as const satisfies readonly {
  readonly id: string;
  readonly path: string;
  readonly render?: (language: GuideLanguage) => string;
}[];

export const CHAPTER_IDS: readonly string[] = CHAPTERS.map(({ id }) => id);

/** A German document stands next to the English one. */
const fileOf = (path: string, language: GuideLanguage): string =>
  `${path}${language === 'en' ? '' : `.${language}`}.md`;

/** The Markdown of a chapter. */
export const readChapter = (id: string, language: GuideLanguage): string => {
  const chapter = CHAPTERS.find((each) => each.id === id);
  if (!chapter) throw new Error(`The guide has no chapter ${id}.`);
  if ('render' in chapter) return chapter.render(language);
  return readFileSync(join(ROOT, fileOf(chapter.path, language)), 'utf8');
};

const isOnTheWeb = (href: string): boolean => href.startsWith('https:');

/** The address of a heading, as GitHub makes it, behind the name of its chapter: two may have the same heading. */
const anchorOf = (id: string, heading: string): string =>
  `${id}-${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')}`;

/** The path of a link from the root of the repository. */
const resolve = (from: string, file: string): string =>
  relative(ROOT, join(ROOT, dirname(from), file)).replaceAll('\\', '/');

/** Sides in px of a lossy WebP file: 14 bits each, behind the header of its frame. @see RFC 6386, 9.1 */
const sizeOfWebp = (path: string): { readonly width: number; readonly height: number } => {
  const bytes = readFileSync(join(ROOT, path));
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
};

/** Where a link of a document leads in the guide; undefined if what it leads to is not part of the page. */
const targetOf = (from: string, id: string, href: string): string | undefined => {
  if (isOnTheWeb(href)) return href;
  const [file = '', anchor] = href.split('#');
  const path = resolve(from, file).replace(/(?:\.de)?\.md$/, '');
  const chapter = file === '' ? id : CHAPTERS.find((each) => each.path === path)?.id;
  if (chapter === undefined) return undefined;
  return anchor === undefined ? `#${chapter}` : `#${chapter}-${anchor}`;
};

interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

const chapterOf = ({ id, path }: (typeof CHAPTERS)[number], language: GuideLanguage): Chapter => {
  const file = fileOf(path, language);
  const sections: { id: string; title: string }[] = [];
  let title: string = id;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) title = content;
        const anchor = depth === 1 ? id : anchorOf(id, text);
        if (depth === 2) sections.push({ id: anchor, title: content });
        return `<h${depth} id="${anchor}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(file, id, href);
        if (target === undefined) return content;
        return `<a href="${target}"${isOnTheWeb(href) ? ' rel="noreferrer"' : ''}>${content}</a>`;
      },
      // The build copies the image, and gives it an address that may be stored for ever.
      image({ href, text }: Tokens.Image) {
        const path = resolve(file, href);
        const { width, height } = sizeOfWebp(path);
        return `<img src="../${path}" alt="${text}" loading="lazy" width="${width}" height="${height}">`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        throw new Error(`${file}: the guide takes no HTML: ${text.slice(0, 60)}`);
      },
    },
  });
  const html = marked.parse(readChapter(id, language), { async: false });
  const scrolling = html.replaceAll('<table>', '<div class="table" tabindex="0"><table>');
  return { id, title, html: scrolling.replaceAll('</table>', '</table></div>'), sections };
};

const linkTo = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  `<a href="#${id}">${title}</a>`;

const CONTENTS: Readonly<Record<GuideLanguage, string>> = { en: 'Contents', de: 'Inhalt' };

/** The guide of the page as HTML: a table of contents, and a chapter for each document. */
export const renderGuide = (language: GuideLanguage): string => {
  const chapters = CHAPTERS.map((chapter) => chapterOf(chapter, language));
  const contents = chapters.map(
    (chapter) =>
      `<li>${linkTo(chapter)}<ul>${chapter.sections.map((section) => `<li>${linkTo(section)}</li>`).join('')}</ul></li>`,
  );
  return [
    `<nav aria-label="${CONTENTS[language]}"><ul>${contents.join('')}</ul></nav>`,
    `<main>${chapters.map(({ html }) => `<article>${html}</article>`).join('')}</main>`,
  ].join('\n');
};

const PLACE = '<!-- guide -->';

/** Puts the guide into `help.html` and `help.de.html`, from the same Markdown that is read in the repository. */
export const helpPage = (): Plugin => ({
  name: 'veil-help-page',
  transformIndexHtml: {
    // Before the build looks for images.
    order: 'pre',
    handler: (html) => html.replace(PLACE, () => renderGuide(html.includes('lang="de"') ? 'de' : 'en')),
  },
});
